import { type ReactNode, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { hasFocus, passFocusOn } from '../lib/focus.ts';
import { usePageContext } from '../lib/page-context.ts';
import { uploadedPictureId } from '../lib/picture-urls.ts';
import type { PictureStore } from '../lib/upload-picture.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { LiveRegion } from './live-region.tsx';
import { Picture } from './picture.tsx';
import { commonText } from './texts.ts';
import { usePictureUploads } from './use-picture-uploads.ts';

const text = {
  hint: 'Choose a file or take a photo. You can also drop or paste a picture.',
  uploading: 'Uploading your picture…',
  waiting: (count: number) => `${count} more to upload.`,
  progress: 'Upload progress',
  cancel: 'Cancel upload',
  ignored: 'Wait until the upload has ended.',
  wait: 'Wait until the picture is uploaded, or cancel the upload.',
  uploaded: 'Your picture',
  remove: 'Remove',
  removePicture: 'Remove the picture',
};

interface PictureUploadProps {
  store?: PictureStore;
  label?: string;
  /** The message after an upload. */
  done?: string;
  hint?: string;
  /** The number of pictures that can be added. If it is more than one, several files can be chosen together. */
  room?: number;
  /**
   * Called with the URL of each uploaded picture, or with its id if it is private. Called with '' if the customer removes
   * the picture.
   */
  onUploaded: (url: string) => void;
  /** Called with the chosen files for which there is no room. */
  onLeftOut?: (files: File[]) => void;
  /** Returns true if the form still contains the uploaded picture. Otherwise, the message `done` is hidden. */
  isUsed: (url: string) => boolean;
  /** The URL of the picture in the form. If it was uploaded here, a preview replaces the text field. */
  value?: string;
  /** The text field for the URL of the picture. A picture can also be dropped on it. */
  children?: ReactNode;
}

/**
 * A control that uploads pictures, which can be chosen, dropped or pasted. The surrounding form cannot be sent during an
 * upload.
 */
export function PictureUpload({
  store = 'public',
  label = 'Upload a picture',
  done = 'Your picture is uploaded.',
  hint = text.hint,
  room = 1,
  onUploaded,
  onLeftOut,
  isUsed,
  value = '',
  children,
}: PictureUploadProps) {
  const { origin } = usePageContext();
  const { state, failures, isIgnored, setIsIgnored, cancel, startAll, retry } = usePictureUploads({
    store,
    room,
    onUploaded,
    onLeftOut,
  });
  const [isDropTarget, setIsDropTarget] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();

  const isUploading = state.step === 'uploading';
  useEffect(() => input.current?.setCustomValidity(isUploading ? text.wait : ''), [isUploading]);
  const focusInputOnRemoval = useCallback(
    (part: Element | null) => () => {
      if (part && hasFocus(part)) passFocusOn(part, () => input.current);
    },
    [],
  );

  // Listens to the document, because some forms have no text field into which a picture can be pasted. Ignores a paste
  // into another form or dialog.
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event;
    const part = target instanceof Element ? target.closest('form, dialog') : null;
    const isElsewhere = part !== null && part !== input.current?.form;
    // Some programs copy a text together with a picture of the text. Then the picture is ignored, and the browser pastes the
    // text.
    if (isElsewhere || !clipboardData || clipboardData.getData('text/plain') !== '') return;
    if (startAll(clipboardData.files)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, []);

  const isUploadShown = uploadedPictureId(value, origin) !== undefined;
  return (
    <div
      className="grid gap-3"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsDropTarget(true);
      }}
      onDragLeave={() => setIsDropTarget(false)}
      onDrop={(event) => {
        setIsDropTarget(false);
        if (startAll(event.dataTransfer.files)) event.preventDefault();
      }}
    >
      {/* The hidden field is still sent with the form. */}
      {children && <div hidden={isUploadShown}>{children}</div>}
      {isUploadShown && (
        <div className="flex items-center gap-4">
          <Picture src={value} alt={text.uploaded} size="photo" />
          <Button ref={focusInputOnRemoval} tone="quiet" aria-label={text.removePicture} onClick={() => onUploaded('')}>
            {text.remove}
          </Button>
        </div>
      )}
      <div
        className={`grid gap-3 rounded-control border-2 border-dashed p-3 ${isDropTarget ? 'border-ink bg-sunken' : 'border-control'}`}
      >
        <div className="flex flex-wrap items-center gap-3">
          <label className="button button-quiet cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
            <input
              ref={input}
              type="file"
              accept="image/*"
              multiple={room > 1}
              aria-describedby={hintId}
              // Uses `aria-disabled` instead of `disabled`. A disabled input would lose the focus, and its validation error
              // would not prevent the form from being sent.
              aria-disabled={isUploading}
              onClick={(event) => {
                if (!isUploading) return;
                event.preventDefault();
                setIsIgnored(true);
              }}
              // An input event would make the form save its draft. The chosen file is not part of the draft, so the event
              // stops here.
              onInput={(event) => event.stopPropagation()}
              onChange={({ target }) => {
                if (target.files) startAll(target.files);
                // Resets the input, so that the customer can choose the same file again.
                target.value = '';
              }}
              className="sr-only"
            />
            {label}
          </label>
          <p id={hintId} className="min-w-0 flex-1 basis-36 text-small text-muted">
            {hint}
          </p>
        </div>
        {isUploading && state.preview && (
          <img src={state.preview} alt="" className="max-h-30 max-w-40 rounded-drawn bg-sunken" />
        )}
        <LiveRegion variant="collapsible">
          {state.step === 'ready' && state.message && <p className="text-small">{state.message}</p>}
          {isUploading && (
            <p className="text-small">
              {text.uploading} {state.rest.length > 0 && text.waiting(state.rest.length)}
            </p>
          )}
          {isUploading && isIgnored && <p className="text-small">{text.ignored}</p>}
          {state.step === 'done' && isUsed(state.url) && <p className="text-small">{done}</p>}
        </LiveRegion>
        {isUploading && (
          <div className="flex flex-wrap items-center gap-3">
            <progress value={state.progress} aria-label={text.progress} className="min-w-0 flex-1 accent-primary" />
            <Button ref={focusInputOnRemoval} tone="quiet" onClick={cancel}>
              {text.cancel}
            </Button>
          </div>
        )}
        {!isUploading && failures.length > 0 && (
          <Alert
            action={
              failures.some(({ canRetry }) => canRetry) && (
                <Button
                  tone="quiet"
                  onClick={() => {
                    // Moves the focus, because the clicked button disappears.
                    input.current?.focus();
                    retry();
                  }}
                >
                  {commonText.tryAgain}
                </Button>
              )
            }
          >
            {failures.map(({ file, message, detail }) => (
              <div key={file.name}>
                <bdi className="font-semibold wrap-anywhere">{file.name}</bdi>
                <p>{message}</p>
                {detail && <p className="text-small">{detail}</p>}
              </div>
            ))}
          </Alert>
        )}
      </div>
    </div>
  );
}
