/** The one arrow shape of the product, for opening, paging and moving. */
const strokes = {
  down: 'M4 6.25 8 10.25l4-4',
  up: 'M4 9.75 8 5.75l4 4',
  right: 'M6.25 4l4 4-4 4',
  left: 'M9.75 4l-4 4 4 4',
} as const

/**
 * Takes the colour of the text around it; 14 px by default. Its meaning is in the text next to it or the button's
 * name.
 */
export function Chevron(props: { to: keyof typeof strokes; size?: number; className?: string | undefined }) {
  const { to, size = 14 } = props
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} className={props.className} aria-hidden="true">
      <path
        d={strokes[to]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
