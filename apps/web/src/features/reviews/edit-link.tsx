import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const text = {
  edit: 'Edit',
  editOf: (service: string) => `Edit your review of ${service}`,
};

interface EditLinkProps {
  id: string;
  service: string;
  /** Whether to show only the icon on a wide screen, where the column has a heading. */
  compact?: boolean;
}

/** A link to the form that edits the customer's review. */
export function EditLink({ id, service, compact = false }: EditLinkProps) {
  return (
    <ButtonLink
      tone="quiet"
      size={compact ? 'compact' : 'normal'}
      to={`/editreview/${id}`}
      aria-label={text.editOf(service)}
    >
      <Icon name="pencil" />
      <span className={compact ? 'sm:sr-only' : ''}>{text.edit}</span>
    </ButtonLink>
  );
}
