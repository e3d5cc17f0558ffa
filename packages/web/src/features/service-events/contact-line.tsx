import { EMAIL } from '@benchwatch/contract/patterns'

/** An address as a link when it is one; as plain text when it is malformed, as happens in life; a dash when absent. */
export function EmailLink({ address }: { address: string | null }) {
  if (address === null || address.trim() === '') return '–'
  return EMAIL.test(address) ? <a href={`mailto:${address}`}>{address}</a> : address
}
