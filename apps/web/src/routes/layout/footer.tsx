import { productName } from '@rtr/shared';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { predefinedSearches } from '../../features/services/predefined-searches.ts';
import { ThemeChoice } from '../../ui/theme-choice.tsx';
import { useFormOrigin } from './use-form-origin.ts';

const text = {
  description: 'Find people who install, repair and clean kitchen ventilation, and read reviews from their customers.',
  services: 'Services',
  company: 'Company',
  legal: 'Legal',
  about: 'About',
  howReviewsWork: 'How reviews work',
  blogs: 'Blogs',
  addService: 'Add Service',
  privacy: 'Privacy',
  terms: 'Terms',
};

// The icons of the social networks are not links, because there are no addresses yet.
const socialIcons = [
  'M13.5 20.5V13H16.5L17 9.5H13.5V7.5C13.5 6.5 14 6 15 6H17V3.5H14.5C11.5 3.5 10 5 10 7.5V9.5H7.5V13H10V20.5',
  'M4 4 20 20M20 4 4 20',
  'M7.5 4H16.5A3.5 3.5 0 0 1 20 7.5V16.5A3.5 3.5 0 0 1 16.5 20H7.5A3.5 3.5 0 0 1 4 16.5V7.5A3.5 3.5 0 0 1 7.5 4ZM12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  'M5.5 5.5H18.5A3 3 0 0 1 21.5 8.5V15.5A3 3 0 0 1 18.5 18.5H5.5A3 3 0 0 1 2.5 15.5V8.5A3 3 0 0 1 5.5 5.5ZM10 9V15L15 12Z',
];

export function Footer() {
  const origin = useFormOrigin();
  return (
    <footer className="mt-18 bg-footer text-footer-text">
      <div className="duct" />
      <div className="column grid gap-8 pt-12 pb-8 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="grid max-w-80 content-start gap-4">
          <p className="text-title text-wall-heading">{productName}</p>
          <p className="text-small">{text.description}</p>
          <SocialIcons />
        </div>
        <LinkList title={text.services}>
          {predefinedSearches.map(({ name, search }) => (
            <FooterLink key={name} to={`/services?q=${encodeURIComponent(search)}`}>
              {name}
            </FooterLink>
          ))}
        </LinkList>
        <LinkList title={text.company}>
          <FooterLink to="/about">{text.about}</FooterLink>
          <FooterLink to="/how-reviews-work">{text.howReviewsWork}</FooterLink>
          <FooterLink to="/blogs">{text.blogs}</FooterLink>
          <FooterLink to="/addservices" state={origin}>
            {text.addService}
          </FooterLink>
        </LinkList>
        <LinkList title={text.legal}>
          <FooterLink to="/privacy">{text.privacy}</FooterLink>
          <FooterLink to="/terms">{text.terms}</FooterLink>
        </LinkList>
      </div>
      <div className="column">
        <div className="border-t-2 border-dashed border-footer-text/30 py-4">
          <ThemeChoice />
        </div>
      </div>
    </footer>
  );
}

const list = 'grid content-start gap-1';

function LinkList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={list}>
      <h2 className="pb-1 text-title text-wall-heading">{title}</h2>
      <ul className={list}>{children}</ul>
    </section>
  );
}

function FooterLink(props: LinkProps) {
  return (
    <li>
      <Link
        {...props}
        className="inline-flex min-h-8 items-center underline-offset-4 hover:underline focus-visible:outline-wall-heading"
      />
    </li>
  );
}

function SocialIcons() {
  return (
    <div className="flex gap-4" aria-hidden="true">
      {socialIcons.map((path) => (
        <svg
          key={path}
          width="24"
          height="24"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={path} />
        </svg>
      ))}
    </div>
  );
}
