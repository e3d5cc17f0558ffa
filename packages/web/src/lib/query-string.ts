/**
 * Query strings as plain texts. The router's own form puts quotes around texts that look like numbers, which would
 * break addresses that people write by hand and the links that the specification fixes.
 */

/** `?a=1&b=x` as a record of texts; of a repeated name the last counts. */
export function readQueryString(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

type Parameter = string | number | boolean | null | undefined

/**
 * The inverse; undefined, null and empty values are left out, commas and colons stay readable. Half a character, as a cut
 * may leave it, is replaced: the encoder would throw.
 */
export function writeQueryString(search: Record<string, Parameter>): string {
  const parts = Object.entries(search).flatMap(([key, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [`${encodeURIComponent(key)}=${encoded(String(value))}`],
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(/%2C/g, ',').replace(/%3A/g, ':')
}
