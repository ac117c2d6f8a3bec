import type { Service } from '@rtr/shared';

const text = { none: 'The lister did not add a description.' };

export function ServiceDescription({ description }: Pick<Service, 'description'>) {
  return (
    <p className="measure whitespace-pre-line wrap-anywhere">
      {description.trim() || <span className="text-muted">{text.none}</span>}
    </p>
  );
}
