import { EMAIL } from '@benchwatch/contract/patterns'
import { INVALID_PHONE, readPhoneNumber } from '../../lib/phone.ts'
import styles from './contact-line.module.css'
import { Dash } from './fact.tsx'

/** An address as a link when it is one; as plain text when it is malformed, as happens in life; a dash when absent. */
export function EmailLink({ address }: { address: string | null }) {
  const text = address?.trim() ?? ''
  if (text === '') return <Dash />
  return EMAIL.test(text) ? <a href={`mailto:${text}`}>{text}</a> : <bdi>{text}</bdi>
}

/** A number to dial, in international format; what is none as it was written, marked '(invalid)'. `country`: the site's. */
export function PhoneLink({ number, country }: { number: string | null; country: string | null }) {
  const text = number?.trim() ?? ''
  if (text === '') return <Dash />
  const phone = readPhoneNumber(text, country)
  if (phone === null)
    return (
      <>
        <bdi>{text}</bdi> <span className={styles.invalid}>{INVALID_PHONE}</span>
      </>
    )
  return <a href={phone.href}>{phone.international}</a>
}
