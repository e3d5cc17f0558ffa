import { EMAIL } from '@benchwatch/contract/patterns'
import { INVALID_PHONE, readPhoneNumber } from '../../lib/phone.ts'
import styles from './contact-line.module.css'
import { Dash } from './fact.tsx'

/** An e-mail address as a link if valid, else as plain text; a dash if absent. */
export function EmailLink({ address }: { address: string | null }) {
  const text = address?.trim() ?? ''
  if (text === '') return <Dash />
  return EMAIL.test(text) ? <a href={`mailto:${text}`}>{text}</a> : <bdi>{text}</bdi>
}

/**
 * A phone number as a link in international format; an invalid one as written, marked '(invalid)'. `country` is the
 * site's.
 */
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
