import type { Service } from '@rtr/shared';
import { Link } from 'react-router-dom';
import { ButtonLink } from '../../ui/button.tsx';
import { insuredNames } from './texts.ts';

const text = {
  title: 'Contact',
  listedBy: 'Listed by ',
  area: 'Area: ',
  call: 'Call ',
  website: 'Website ',
};

const facts = {
  title: 'In the lister’s own words',
  note: 'We have not checked these details.',
  hours: 'Opening hours: ',
  licence: 'Licence: ',
  insured: 'Insured: ',
};

interface ContactProps {
  service: Pick<Service, 'listerName' | 'listerId' | 'phone' | 'website' | 'area'>;
}

/** Shows the lister of a service, their area, and how customers reach them. Renders nothing if all of this is empty. */
export function Contact({ service }: ContactProps) {
  const listerName = service.listerName.trim();
  const phone = service.phone.trim();
  const area = service.area.trim();
  const website = service.website ? new URL(service.website) : undefined;
  if (!listerName && !phone && !area && !website) return null;
  return (
    <section className="tear-line mt-2 grid gap-2 pt-4">
      <h2 className="text-title">{text.title}</h2>
      {listerName && (
        <p className="wrap-anywhere">
          {text.listedBy}
          {service.listerId ? (
            <Link to={`/listers/${service.listerId}`} className="link">
              <bdi>{listerName}</bdi>
            </Link>
          ) : (
            <bdi>{listerName}</bdi>
          )}
        </p>
      )}
      {area && (
        <p className="wrap-anywhere">
          {text.area}
          <bdi>{area}</bdi>
        </p>
      )}
      {(phone || website) && (
        <div className="flex flex-wrap gap-3">
          {phone && (
            <ButtonLink tone="quiet" to={telephoneUrl(phone)} className="min-w-0">
              <span className="wrap-anywhere">
                {text.call}
                <bdi>{phone}</bdi>
              </span>
            </ButtonLink>
          )}
          {website && (
            <ButtonLink tone="quiet" to={website.href} rel="nofollow noopener ugc" className="min-w-0">
              <span className="wrap-anywhere">
                {text.website}
                <bdi>{website.host}</bdi>
              </span>
            </ButtonLink>
          )}
        </div>
      )}
    </section>
  );
}

/** Shows what the lister says about their work. Renders nothing if the lister says nothing. */
export function ListersFacts({ service }: { service: Pick<Service, 'hours' | 'licence' | 'insured'> }) {
  const hours = service.hours.trim();
  const licence = service.licence.trim();
  const insured = service.insured && insuredNames[service.insured];
  const shown = Object.entries({ hours, licence, insured }).filter(([, value]) => value);
  if (shown.length === 0) return null;
  return (
    <section className="tear-line mt-2 grid gap-2 pt-4">
      <h2 className="text-title">{facts.title}</h2>
      <p className="text-small text-muted">{facts.note}</p>
      <ul className="grid gap-1">
        {shown.map(([name, value]) => (
          <li key={name} className="wrap-anywhere">
            {facts[name as keyof typeof facts]}
            <bdi>{value}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Returns the URL that calls a phone number. It contains the digits of the number, and a plus sign before them if the number
 * begins with one. A zero in parentheses after a country code is left out, because it is dialled only without this code.
 */
function telephoneUrl(phone: string): string {
  const hasCountryCode = /^[^0-9]*(\+|00)/.test(phone);
  const digits = (hasCountryCode ? phone.replace(/\(\s*0\s*\)/, '') : phone).replaceAll(/[^0-9]/g, '');
  return `tel:${/^[^0-9]*\+/.test(phone) ? '+' : ''}${digits}`;
}
