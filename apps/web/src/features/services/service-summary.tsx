import { titleOf } from '@rtr/shared';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Card } from '../../ui/card.tsx';
import { Picture } from '../../ui/picture.tsx';
import { priceOf } from './texts.ts';

interface ServiceSummaryProps {
  service: { _id: string; title: string; price: string; img: string };
  /** True if the service has a page. The title is then a link to this page. */
  isListed?: boolean;
  children?: ReactNode;
}

export function ServiceSummary({ service, isListed = true, children }: ServiceSummaryProps) {
  return (
    <Card className="grid grid-cols-[min(7rem,33%)_1fr] content-start md:sticky md:top-6 md:grid-cols-1">
      <Picture src={service.img} alt="" size="card" eager className="max-md:h-full" />
      <div className="grid content-start gap-2 p-4">
        <h2 className="text-title wrap-anywhere">
          {isListed ? (
            <Link to={`/services/${service._id}`} className="underline-offset-4 hover:underline">
              {titleOf(service)}
            </Link>
          ) : (
            titleOf(service)
          )}
        </h2>
        {children}
        <p className="tear-line pt-2 text-price wrap-anywhere tabular-nums">{priceOf(service)}</p>
      </div>
    </Card>
  );
}
