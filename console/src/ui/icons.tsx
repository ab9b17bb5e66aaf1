/** Icons as strokes on a grid of 24, drawn in the colour of the text. Hidden from screen readers. */
const shapes = {
  overview: 'M4 19V11M10 19V5M16 19v-6M21 19H3',
  members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  leaderboard: 'M8 20V9H3v11M16 20V13h5v7M8 20V4h8v16M2 20h20',
  awards: 'M12 15a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8.5 14 7 21l5-2.5L17 21l-1.5-7',
  import: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  export: 'M12 15V3M7 8l5-5 5 5M4 20h16',
  journal: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3V4ZM9 9h6M9 13h6M5 17a3 3 0 0 1 3-3',
  keys: 'M8 19a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM11.5 10.5 20 3M16 6.5l3 3',
  webhooks: 'M13 3 5 14h6l-1 7 9-11h-7l1-7Z',
  points:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7.5 13.4 10.7 17 11l-2.7 2.3.8 3.5L12 15l-3.1 1.8.8-3.5L7 11l3.6-.3L12 7.5Z',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  people: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 21a7.5 7.5 0 0 1 15 0',
  audit: 'M9 5H6a1 1 0 0 0-1 1v14h14V6a1 1 0 0 0-1-1h-3M9 3h6v4H9V3ZM9 12h6M9 16h4',
  operators:
    'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6l8-3ZM12 11.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8.5 16a3.5 3.5 0 0 1 7 0',
  health: 'M3 12h4l2.5-6 4 12 2.5-6h5',
  realms: 'M4 4h7v7H4V4ZM13 13h7v7h-7v-7ZM13 4h7v7h-7V4ZM4 13h7v7H4v-7Z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  chevron: 'M7 10l5 5 5-5',
  right: 'M10 7l5 5-5 5',
  left: 'M14 7l-5 5 5 5',
  updown: 'M8 10l4-4 4 4M8 14l4 4 4-4',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  transfer: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
  lock: 'M6 11h12v9H6v-9ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  undo: 'M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  copy: 'M9 9h11v11H9V9ZM5 15H4V4h11v1',
  check: 'M5 12.5 10 17 19 7',
  alert: 'M12 4 2.5 20h19L12 4ZM12 10v4.5M12 17.3v.2',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.6v.2',
  table: 'M4 5h16v14H4V5ZM4 10h16M4 14.5h16M10 10v9',
  wallet: 'M4 7h15v12H4V7ZM4 7l11-3v3M15 13h4',
  eyeoff:
    'M4 4l16 16M9.9 6.3A9.4 9.4 0 0 1 12 6c5 0 8.5 4 9.5 6a14 14 0 0 1-2.6 3.4M6.2 8A13.6 13.6 0 0 0 2.5 12c1 2 4.5 6 9.5 6 1.3 0 2.5-.3 3.6-.7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  snow: 'M12 3v18M4.2 7.500l15.6 9M19.8 7.500l-15.6 9',
  edit: 'M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4',
  file: 'M6 3h8l4 4v14H6V3ZM14 3v4h4',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6l8-3ZM8.5 12l2.5 2.5 4.5-5',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.400M18.4 5.6 17 7M7 17l-1.4 1.4',
  dots: 'M6 12h.01M12 12h.01M18 12h.01',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.700L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.700L12 17',
} as const

export type IconName = keyof typeof shapes

export function Icon({
  name,
  className = 'size-4',
}: {
  readonly name: IconName
  readonly className?: string
}) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 3 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={shapes[name]} />
    </svg>
  )
}

/** The product's mark: four squares of the chequered cloth. */
export function Mark({ className = 'size-6' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="7" className="fill-accent-fill" />
      <path
        d="M9.5 8H16v8H8V9.500A1.5 1.5 0 0 1 9.5 8ZM16 16h8v6.500a1.5 1.5 0 0 1-1.5 1.500H16v-8Z"
        fill="#fff"
      />
      <path
        d="M16 8h6.500A1.5 1.5 0 0 1 24 9.500V16h-8V8ZM8 16h8v8H9.500A1.5 1.5 0 0 1 8 22.500V16Z"
        fill="#fff"
        opacity=".4"
      />
    </svg>
  )
}
