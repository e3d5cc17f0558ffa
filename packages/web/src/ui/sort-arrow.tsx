const strokes = {
  ascending: 'M8 13V3.5M4.5 7 8 3.5 11.5 7',
  descending: 'M8 3v9.5M4.5 9 8 12.5 11.5 9',
  none: 'M5.5 12V4M3 6.5 5.5 4 8 6.5M10.5 4v8M8 9.5l2.5 2.5L13 9.5',
} as const

/** Which way a column is sorted; both ways where it is not, as an offer. Its words are the name of its button. */
export function SortArrow({ direction }: { direction: 'ascending' | 'descending' | undefined }) {
  return (
    <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
      <path
        d={strokes[direction ?? 'none']}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
