/** An envelope; an inline drawing, because up to a hundred rows show it. Without a `label` its word stands beside it. */
export function MailIcon({ label }: { label?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="15"
      height="15"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {label !== undefined && <title>{label}</title>}
      <path
        d="M2 4.2h12v8H2ZM2.4 4.6 8 8.9l5.6-4.3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinejoin="round"
      />
    </svg>
  )
}
