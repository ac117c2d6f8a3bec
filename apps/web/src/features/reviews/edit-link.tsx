import { ButtonLink, compactLabel } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const text = {
  edit: 'Edit',
  editOf: (service: string) => `Edit your review of ${service}`,
};

interface EditLinkProps {
  id: string;
  service: string;
  compact?: boolean;
}

export function EditLink({ id, service, compact = false }: EditLinkProps) {
  return (
    <ButtonLink
      tone="quiet"
      size={compact ? 'compact' : 'normal'}
      to={`/editreview/${id}`}
      aria-label={text.editOf(service)}
    >
      <Icon name="pencil" />
      <span className={compact ? compactLabel : ''}>{text.edit}</span>
    </ButtonLink>
  );
}
