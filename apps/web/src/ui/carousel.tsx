import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useHydrated } from '../lib/page-context.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const text = {
  previous: 'Previous',
  next: 'Next',
  pause: 'Pause',
  play: 'Play',
  of: (at: number, count: number) => `${at} of ${count}`,
  go: (at: number) => `Show slide ${at}`,
};

const slideMs = 7000;

const reducedMotionQuery = () => matchMedia('(prefers-reduced-motion: reduce)');

function watchReducedMotion(listener: () => void): () => void {
  const query = reducedMotionQuery();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    watchReducedMotion,
    () => reducedMotionQuery().matches,
    () => false,
  );
}

interface CarouselProps {
  label: string;
  /** The slides. `floor` is the CSS class for the colour below the controls, at the lower edge of a slide. */
  slides: { key: string; floor: string; content: ReactNode }[];
  className?: string;
}

/**
 * A carousel. The visitor can change the slide by swiping, scrolling, buttons and arrow keys. The slide also changes
 * automatically, unless the carousel is paused or contains the pointer or the focus. If the visitor prefers reduced motion,
 * the carousel is paused at first.
 */
export function Carousel({ label, slides, className = '' }: CarouselProps) {
  const hydrated = useHydrated();
  const track = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  const reducedMotion = useReducedMotion();
  const [chosen, setPlaying] = useState<boolean>();
  const playing = chosen ?? !reducedMotion;
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isHeld = isHovered || isFocused;
  const count = slides.length;

  /**
   * The index of the slide to which the carousel is scrolling. The slides that it passes on the way do not become the
   * current slide.
   */
  const target = useRef<number>(null);
  const show = (index: number) => {
    const slide = (index + count) % count;
    setAt(slide);
    target.current = slide;
    track.current?.scrollTo({ left: slide * track.current.clientWidth });
  };
  const follow = ({ scrollLeft, clientWidth }: Element) => {
    const seen = clientWidth > 0 ? Math.round(scrollLeft / clientWidth) : 0;
    if (target.current !== null && target.current !== seen) return;
    target.current = null;
    setAt(seen);
  };

  // If the width changes, for example because a phone is rotated, scrolls to the current slide again.
  const alignSlide = useEffectEvent(() => {
    const { scrollLeft = 0, clientWidth = 0 } = track.current ?? {};
    if (Math.abs(scrollLeft - at * clientWidth) < 1) return;
    target.current = at;
    track.current?.scrollTo({ left: at * clientWidth, behavior: 'instant' });
  });
  useEffect(() => {
    if (!track.current || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => alignSlide());
    observer.observe(track.current);
    return () => observer.disconnect();
  }, []);

  const showNext = useEffectEvent((from: number) => {
    if (!document.hidden) show(from + 1);
  });
  useEffect(() => {
    if (!playing || isHeld) return;
    const timer = setInterval(() => showNext(at), slideMs);
    return () => clearInterval(timer);
  }, [at, isHeld, playing]);

  const control = 'text-wall-heading hover:bg-wall-heading/15 focus-visible:outline-wall-heading';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hovering only pauses it
    <section
      aria-roledescription="carousel"
      aria-label={label}
      onMouseEnter={() => setIsHovered(true)}
      onMouseLeave={() => setIsHovered(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
      onKeyDown={({ key, altKey, ctrlKey, metaKey }) => {
        // Ignores keys with a modifier, because Alt with an arrow key goes back or forward in the history.
        if (altKey || ctrlKey || metaKey) return;
        if (key === 'ArrowLeft') show(at - 1);
        if (key === 'ArrowRight') show(at + 1);
      }}
      className={`relative overflow-hidden ${className}`}
    >
      <ul
        ref={track}
        aria-live={playing && !isHeld ? 'off' : 'polite'}
        onScroll={({ currentTarget }) => follow(currentTarget)}
        onPointerDown={() => {
          target.current = null;
        }}
        className="flex snap-x snap-mandatory scroll-smooth overflow-x-auto overscroll-x-contain [scrollbar-width:none]"
      >
        {slides.map(({ key, content }, index) => (
          <li
            key={key}
            aria-roledescription="slide"
            aria-label={text.of(index + 1, count)}
            inert={hydrated && index !== at}
            className="grid w-full shrink-0 snap-start"
          >
            {content}
          </li>
        ))}
      </ul>
      <div
        className={`flex items-center gap-1 px-3 transition-colors md:absolute md:right-0 md:bottom-0 md:left-0 md:h-18 md:bg-transparent md:px-6 noscript:[&>button]:invisible ${slides[at]?.floor ?? ''}`}
      >
        {slides.map(({ key }, index) => (
          <button
            key={key}
            type="button"
            aria-label={text.go(index + 1)}
            aria-current={index === at}
            onClick={() => show(index)}
            className={`group grid size-12 place-items-center rounded-control ${control}`}
          >
            <span className="size-3 rounded-full border-2 border-current group-aria-[current=true]:bg-hero group-aria-[current=true]:text-hero" />
          </button>
        ))}
        <IconButton
          label={playing ? text.pause : text.play}
          onClick={() => setPlaying(!playing)}
          className={`ml-auto ${control}`}
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </IconButton>
        <IconButton label={text.previous} onClick={() => show(at - 1)} className={control}>
          <Icon name="left" />
        </IconButton>
        <IconButton label={text.next} onClick={() => show(at + 1)} className={control}>
          <Icon name="right" />
        </IconButton>
      </div>
    </section>
  );
}
