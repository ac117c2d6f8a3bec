import { limits, titleOf } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useHttp } from '../../lib/http-context.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DeletedNote } from '../../ui/deletion.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { commonText } from '../../ui/texts.ts';
import { withdrawnServicesQuery } from './queries.ts';
import { serviceText } from './texts.ts';
import { useWithdrawals } from './withdrawal.tsx';

const text = {
  body: 'It may have been removed, or the link is mistyped.',
  withdrawn: 'You have withdrawn this service',
  withdrawnBody: `Nobody else can see it. We erase it ${limits.withdrawnDays} days after the withdrawal.`,
};

interface UnlistedServiceProps {
  id?: string | undefined;
  isSignedIn?: boolean;
  /** Shown under the message. */
  below?: ReactNode;
}

/** The page of a service that does not exist or is not listed. The lister of a withdrawn service can list it again here. */
export function UnlistedService({ id, isSignedIn = false, below }: UnlistedServiceProps) {
  const query = withdrawnServicesQuery(useHttp(), id);
  const { data } = useQuery({ ...query, enabled: isSignedIn && /^[\da-f]{24}$/i.test(id ?? '') });
  const withdrawals = useWithdrawals(data);
  const [service] = isSignedIn ? withdrawals.rowsOf([]) : [];
  const isListedAgain = service !== undefined && withdrawals.stateOf(service) === 'restored';
  const navigate = useNavigate();
  const location = useLocation();
  // A revalidation would not always remove this error page: the error boundary keeps its error if a revalidation is so short
  // that React does not render its pending state.
  const loadAgain = useEffectEvent(() => void navigate(location, { replace: true }));
  useEffect(() => {
    if (isListedAgain) loadAgain();
  }, [isListedAgain]);
  return (
    <MessagePage
      name={commonText.notFound}
      picture="/pictures/placeholder.svg"
      title={service ? text.withdrawn : serviceText.unlisted}
      action={<ButtonLink to="/services">{serviceText.seeAll}</ButtonLink>}
      below={
        <>
          {service && (
            <div className="pt-6">
              <DeletedNote item={service} name={titleOf(service)} deletions={withdrawals} />
            </div>
          )}
          {below}
        </>
      }
    >
      <p>{service ? text.withdrawnBody : text.body}</p>
    </MessagePage>
  );
}
