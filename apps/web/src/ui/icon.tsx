// The icons are drawn on a 24 px grid with a round 2.5 px stroke, in the same style as the pictures.
const paths = {
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20.5 20.5',
  menu: 'M4 7H20M4 12H20M4 17H20',
  close: 'M6 6 18 18M18 6 6 18',
  left: 'M14.5 5 7.5 12 14.5 19',
  right: 'M9.5 5 16.5 12 9.5 19',
  down: 'M5 9.5 12 16.5 19 9.5',
  pause: 'M9 6V18M15 6V18',
  play: 'M8 5.5V18.5L18.5 12Z',
  plus: 'M12 5V19M5 12H19',
  minus: 'M5 12H19',
  rotate: 'M19 12a7 7 0 1 1-2.4-5.3M19.5 3V8H14.5',
  reset: 'M5 9V5H9M15 5H19V9M19 15V19H15M9 19H5V15',
  enlarge: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20.5 20.5M10.5 8V13M8 10.5H13',
  alert: 'M12 4 21 19.5H3ZM12 10V13.5M12 16.6V16.7',
  check: 'M5 12.5 10 17.5 19.5 7',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 11V16M12 7.8V7.9',
  pencil: 'M5 19 6 15 15.5 5.5 18.5 8.5 9 18ZM13.5 7.5 16.5 10.5',
  person: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5C5 16.5 8 14.5 12 14.5s7 2 7.5 6M18.5 3.5V8.5M16 6H21',
  eye: 'M2.5 12C5 7.5 8.5 5.5 12 5.5S19 7.5 21.5 12C19 16.5 15.5 18.5 12 18.5S5 16.5 2.5 12ZM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  heart: 'M12 20C6 16 3.5 12.5 3.5 9A4.4 4.4 0 0 1 12 7.5 4.4 4.4 0 0 1 20.5 9C20.5 12.5 18 16 12 20Z',
  reply: 'M10 6 4 12 10 18M4.5 12H15a5 5 0 0 1 5 5V19',
  share: 'M12 15V4M7 8.5 12 3.5 17 8.5M4.5 13V20H19.5V13',
  thumb:
    'M7.5 10.5V20M4 10.5H7.5L11.5 3.5A2.3 2.3 0 0 1 13.8 6.2L13 10.5H18.2A1.8 1.8 0 0 1 20 12.7L18.6 18.6A1.8 1.8 0 0 1 16.8 20H4Z',
  bin: 'M5 7H19M10 7V4.5H14V7M7 7 8 19.5H16L17 7M10.5 11V15.5M13.5 11V15.5',
} as const;

export type IconName = keyof typeof paths;

/**
 * A decorative icon, which is hidden from screen readers. Use it beside a text, or in a control with an accessible name. It
 * grows with the font size of the page.
 */
export function Icon({ name, size = 24 }: { name: IconName; size?: 20 | 24 }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${size === 20 ? 'size-5' : 'size-6'}`}
    >
      <path d={paths[name]} />
    </svg>
  );
}
