import { useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';

const text = { more: 'Show more', less: 'Show less', of: (name: string) => ` of ${name}` };

/**
 * A collapsed text has this number of visible lines. The class `max-h-[12lh]` contains the same number. A text with only one
 * more line is not collapsed.
 */
const collapsedLineCount = 12;
/** A text with more characters than this has too many lines at every width of the page, so it is always collapsed. */
const maxShortLength = 1200;
const isCertainlyLong = (content: string) =>
  content.length > maxShortLength || content.split('\n').length > collapsedLineCount + 1;

interface CollapsibleTextProps {
  content: string;
  /** The name of the text, such as 'your text about hoods', for the accessible name of the button. */
  name: string;
}

/**
 * A text with its line breaks. If it is long, it is collapsed: only its first lines are visible, and a button shows the
 * rest. The page contains the complete text, so that it can be printed and searched. If the browser finds a word in the
 * hidden part, the text expands.
 */
export function CollapsibleText({ content, name }: CollapsibleTextProps) {
  const id = useId();
  const paragraph = useRef<HTMLParagraphElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The server cannot count lines, so it collapses only texts that are too long at any width.
  const [isLong, setIsLong] = useState(() => isCertainlyLong(content));
  const [isOpen, setIsOpen] = useState(false);
  const isCollapsed = isLong && !isOpen;

  useLayoutEffect(() => {
    const element = paragraph.current;
    if (!element || isOpen || typeof ResizeObserver === 'undefined') return;
    if (element.scrollTop > 0) {
      // React misses a scroll event before hydration. So if the browser's page search has already scrolled the text to a
      // word in the hidden part, the text expands here.
      setIsOpen(true);
      return;
    }
    const measure = () => setIsLong(linesOf(element) > collapsedLineCount + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another text has another height
  }, [isOpen, content]);

  const toggle = () => {
    flushSync(() => setIsOpen(!isOpen));
    // After the text was collapsed, the button may be above the window.
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div>
      <p
        ref={paragraph}
        id={id}
        // Expands the text when the browser scrolls it. This happens only when the browser's page search finds a word
        // in the hidden part, or when the reader selects text.
        onScroll={() => setIsOpen(true)}
        className={`measure whitespace-pre-wrap wrap-anywhere ${isCollapsed ? 'max-h-[12lh] overflow-hidden noscript:max-h-none print:max-h-none' : ''}`}
      >
        {content}
      </p>
      {isLong && (
        <div className="pt-3 noscript:hidden">
          <Button ref={button} tone="quiet" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
            {isOpen ? text.less : text.more}
            <span className="sr-only">{text.of(name)}</span>
          </Button>
        </div>
      )}
    </div>
  );
}

function linesOf(element: HTMLElement): number {
  return element.scrollHeight / Number.parseFloat(getComputedStyle(element).lineHeight);
}
