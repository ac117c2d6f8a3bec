import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const text = {
  edit: 'Edit',
  editOf: (service: string) => `Edit your review of ${service}`,
};

interface EditLinkProps {
  id: string;
  service: string;
  /** Where it is wide it is an icon: its column says what it does. */
  compact?: boolean;
}

/** Leads to where an own review is edited. */
export function EditLink({ id, service, compact = false }: EditLinkProps) {
  return (
    <ButtonLink
      tone="quiet"
      to={`/editreview/${id}`}
      aria-label={text.editOf(service)}
      className={compact ? 'sm:px-3!' : ''}
    >
      <Icon name="pencil" />
      <span className={compact ? 'sm:sr-only' : ''}>{text.edit}</span>
    </ButtonLink>
  );
}
