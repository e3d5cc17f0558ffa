/** Line ends and other control characters have no place in a subject or an item of a list, whatever their values hold. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
