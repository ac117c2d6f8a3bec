import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toasts.tsx';
import { mostSaved, save, unsave, useIsSaved } from './kept.ts';
import { titleOf } from './texts.ts';

const text = {
  save: (title: string) => `Save ${title}`,
  full: `${mostSaved} services are saved here, as many as fit. Unsave one first.`,
  blocked: 'This browser lets us keep nothing, so the service is not saved.',
};

interface SaveButtonProps {
  service: { _id: string; title: string };
  className?: string;
}

/** The heart: pressed, the service is saved on this device. */
export function SaveButton({ service, className = '' }: SaveButtonProps) {
  const pressed = useIsSaved(service._id);
  const toggle = () => {
    if (pressed) return unsave(service._id);
    const outcome = save(service._id);
    if (outcome !== 'saved') toast.error(text[outcome]);
  };
  return (
    <IconButton
      label={text.save(titleOf(service))}
      aria-pressed={pressed}
      onClick={toggle}
      data-screen-only
      className={`border-2 border-ink bg-surface text-ink hover:bg-sunken aria-pressed:text-ember aria-pressed:[&_path]:fill-current noscript:hidden ${className}`}
    >
      <Icon name="heart" />
    </IconButton>
  );
}
