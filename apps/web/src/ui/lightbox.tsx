import { useRef, useState } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import { IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { Picture } from './picture.tsx';

const text = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  rotate: 'Rotate',
  reset: 'Reset',
  hint: 'Zoom with the wheel, a pinch, + and −; move with the arrows; turn with R.',
  rotated: (degrees: number) => `Turned by ${degrees} degrees`,
  zoomed: (percent: number) => `${percent} percent`,
  whole: 'Back to the whole picture',
};

/** Pixels that an arrow key moves the picture. */
const stride = 80;

const tool = 'border-2 border-control hover:border-ink';

interface LightboxProps {
  src: string;
  /** What the picture shows: the dialog's name. */
  title: string;
  onClose: () => void;
}

/** A picture, looked at closely: zoomed by buttons, keys, wheel or pinch, moved about, turned by quarters. */
export function Lightbox({ src, title, onClose }: LightboxProps) {
  const view = useRef<ReactZoomPanPinchRef>(null);
  const [turns, setTurns] = useState(0);
  const [said, setSaid] = useState('');

  const zoomIn = () => void view.current?.zoomIn(0.5, 160);
  const zoomOut = () => void view.current?.zoomOut(0.5, 160);
  const move = (right: number, down: number) => {
    if (!view.current) return;
    const { state, instance, setTransform } = view.current;
    const { scale, positionX, positionY } = state;
    const { wrapperComponent: frame, contentComponent: whole } = instance;
    // Its edges do not come away from the frame's.
    const within = (at: number, least: number) => Math.min(0, Math.max(least, at));
    const x = within(positionX - right, (frame?.offsetWidth ?? 0) - (whole?.offsetWidth ?? 0) * scale);
    const y = within(positionY - down, (frame?.offsetHeight ?? 0) - (whole?.offsetHeight ?? 0) * scale);
    void setTransform(x, y, scale, 0);
  };
  const rotate = () => {
    setTurns(turns + 1);
    setSaid(text.rotated(((turns + 1) % 4) * 90));
  };
  const reset = () => {
    setTurns(0);
    void view.current?.resetTransform(0);
    setSaid(text.whole);
  };
  const keys: Record<string, () => void> = {
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    r: rotate,
    R: rotate,
    '0': reset,
    ArrowLeft: () => move(-stride, 0),
    ArrowRight: () => move(stride, 0),
    ArrowUp: () => move(0, -stride),
    ArrowDown: () => move(0, stride),
  };

  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide
      onKeyDown={({ key, ctrlKey, metaKey, altKey }) => {
        if (!ctrlKey && !metaKey && !altKey) keys[key]?.();
      }}
    >
      <div className="grid gap-4 short:grid-cols-[1fr_auto]">
        <div className="overflow-hidden rounded-drawn bg-sunken">
          <TransformWrapper
            ref={view}
            minScale={1}
            maxScale={8}
            centerOnInit
            onZoomStop={({ state }) => setSaid(text.zoomed(Math.round(state.scale * 100)))}
          >
            <TransformComponent wrapperClass="w-full! cursor-grab" contentClass="w-full!">
              <div
                className="mx-auto w-full max-w-[calc((100dvh-16rem)*4/3)] transition-transform short:max-w-[calc((100dvh-11rem)*4/3)]"
                style={{ transform: `rotate(${turns * 90}deg) scale(${turns % 2 ? 0.75 : 1})` }}
              >
                <Picture src={src} alt={title} eager />
              </div>
            </TransformComponent>
          </TransformWrapper>
        </div>
        <div className="flex flex-wrap items-center gap-2 short:grid short:grid-cols-2 short:content-start">
          <IconButton label={text.zoomIn} onClick={zoomIn} className={tool}>
            <Icon name="plus" />
          </IconButton>
          <IconButton label={text.zoomOut} onClick={zoomOut} className={tool}>
            <Icon name="minus" />
          </IconButton>
          <IconButton label={text.rotate} onClick={rotate} className={tool}>
            <Icon name="rotate" />
          </IconButton>
          <IconButton label={text.reset} onClick={reset} className={tool}>
            <Icon name="reset" />
          </IconButton>
          <p className="text-small text-muted max-sm:hidden sm:ml-auto short:hidden">{text.hint}</p>
          <p role="status" className="sr-only">
            {said}
          </p>
        </div>
      </div>
    </Dialog>
  );
}
