import type { Service } from '@rtr/shared';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageBar } from '../../ui/message-container.tsx';
import { insuredNames } from './texts.ts';

const text = {
  title: 'Contact',
  listedBy: 'Listed by ',
  area: 'Area: ',
  call: 'Call',
  website: 'Website',
  unreachable: 'No phone or website given',
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
  /** Whether the links stay at the lower edge of the window of a phone while their usual place is out of sight. */
  hasBar: boolean;
  /** Renders the link to the form for a request. Undefined if the lister cannot be asked. */
  ask?: ((isShort: boolean) => ReactNode) | undefined;
}

/** Shows the lister of a service, their area, and how customers reach them. */
export function Contact({ service, hasBar, ask }: ContactProps) {
  const listerName = service.listerName.trim();
  const area = service.area.trim();
  const links = useRef<HTMLDivElement>(null);
  const [isOutOfSight, setIsOutOfSight] = useState(false);
  useEffect(() => {
    if (!links.current || typeof IntersectionObserver === 'undefined') return;
    const threshold = 0.5;
    const observer = new IntersectionObserver(
      (changes) => setIsOutOfSight((changes.at(-1)?.intersectionRatio ?? 1) < threshold),
      { threshold },
    );
    observer.observe(links.current);
    return () => observer.disconnect();
  }, []);
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
      {ask || service.phone.trim() || service.website ? (
        <div ref={links} className="flex flex-wrap gap-3">
          {ask?.(false)}
          <ContactLinks service={service} />
        </div>
      ) : (
        <p className="text-muted">{text.unreachable}</p>
      )}
      {hasBar && isOutOfSight && (
        <PageBar>
          <section
            ref={focusHeadingOnRemoval}
            aria-label={text.title}
            className="border-t-2 border-ink bg-surface py-2 md:hidden"
          >
            <div className="column flex gap-3">
              {ask?.(true)}
              <ContactLinks service={service} isShort />
            </div>
          </section>
        </PageBar>
      )}
    </section>
  );
}

interface ContactLinksProps {
  service: Pick<Service, 'phone' | 'website'>;
  /** Whether only screen readers read the number and the host. */
  isShort?: boolean;
}

function ContactLinks({ service, isShort = false }: ContactLinksProps) {
  const phone = service.phone.trim();
  const website = service.website ? new URL(service.website) : undefined;
  const link = isShort ? 'flex-1' : 'min-w-0';
  const details = isShort ? 'sr-only' : 'wrap-anywhere';
  return (
    <>
      {phone && (
        <ButtonLink tone="quiet" to={telephoneUrl(phone)} className={link}>
          <span>
            {text.call} <bdi className={details}>{phone}</bdi>
          </span>
        </ButtonLink>
      )}
      {website && (
        <ButtonLink tone="quiet" to={website.href} rel="nofollow noopener ugc" className={link}>
          <span>
            {text.website} <bdi className={details}>{website.host}</bdi>
          </span>
        </ButtonLink>
      )}
    </>
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
