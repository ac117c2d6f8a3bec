import { titleOf } from '@rtr/shared';
import { useStorage } from '../../lib/storage-context.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toasts.tsx';
import { maxSavedCount, saveService, unsaveService, useIsSaved } from './saved-services.ts';

const text = {
  save: (title: string) => `Save ${title}`,
  full: `You have saved ${maxSavedCount} services, which is the maximum. Remove one before you save another.`,
  blocked: 'Your browser does not allow this site to store data, so the service was not saved.',
};

interface SaveButtonProps {
  service: { _id: string; title: string };
  className?: string;
}

export function SaveButton({ service, className = '' }: SaveButtonProps) {
  const storage = useStorage();
  const isSaved = useIsSaved(service._id);
  const toggle = () => {
    if (isSaved) return unsaveService(storage, service._id);
    const outcome = saveService(storage, service._id);
    if (outcome !== 'saved') toast.error(text[outcome]);
  };
  return (
    <IconButton
      label={text.save(titleOf(service))}
      aria-pressed={isSaved}
      onClick={toggle}
      data-screen-only
      variant="onPicture"
      className={`aria-pressed:text-ember aria-pressed:[&_path]:fill-current ${className}`}
    >
      <Icon name="heart" />
    </IconButton>
  );
}
