/**
 * Forms that are read field by field, for the console and the server alike: each error is one sentence about one field, in
 * the order of the form.
 */

export interface FieldError {
  path: string
  message: string
}

/** What a form became, or what is wrong with it. */
export type Reading<T> = { value: T; errors?: never } | { value?: never; errors: FieldError[] }

/** Fields as a form has them: absent, null and blank are the same. */
export type Form<Field extends string> = { [F in Field]?: string | number | null | undefined }

/** Clocks of the people who fill in the form run apart: so far ahead is now. */
export const CLOCK_TOLERANCE_MS = 60_000

/** Reads a form field by field and gathers what is wrong; of several errors of a field the first counts. */
export class Fields<Field extends string> {
  readonly #form: Form<Field>
  readonly #labels: Record<Field, string>
  readonly #errors = new Map<Field, string>()

  constructor(form: Form<Field>, labels: Record<Field, string>) {
    this.#form = form
    this.#labels = labels
  }

  refuse(field: Field, what: string): void {
    if (!this.#errors.has(field)) this.#errors.set(field, `${this.#labels[field]} ${what}.`)
  }

  /** Trimmed; null for none. */
  text(field: Field): string | null {
    return String(this.#form[field] ?? '').trim() || null
  }

  required(field: Field): string | undefined {
    const text = this.text(field)
    if (text === null) this.refuse(field, 'cannot be empty')
    return text ?? undefined
  }

  matching(field: Field, matches: (text: string) => boolean, { otherwise }: { otherwise: string }) {
    return this.word(field, (text) => (matches(text) ? text : undefined), { otherwise })
  }

  /** What a text that is required stands for. */
  word<W>(field: Field, meaning: (text: string) => W | undefined, { otherwise }: { otherwise: string }): W | undefined {
    const text = this.required(field)
    const word = text === undefined ? undefined : meaning(text)
    if (text !== undefined && word === undefined) this.refuse(field, otherwise)
    return word
  }

  instant(field: Field, { isRequired }: { isRequired: boolean }): Date | undefined {
    const text = isRequired ? this.required(field) : (this.text(field) ?? undefined)
    const at = text === undefined ? undefined : instantOf(text)
    if (text !== undefined && at === undefined)
      this.refuse(field, 'must be a date and time with a zone, such as 2026-11-20T14:02:23Z, from 1970 on')
    return at
  }

  read<T>(value: () => T): Reading<T> {
    const errors = (Object.keys(this.#labels) as Field[]).flatMap((path) => {
      const message = this.#errors.get(path)
      return message === undefined ? [] : [{ path, message }]
    })
    return errors.length > 0 ? { errors } : { value: value() }
  }
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** As every instant of a request: ISO 8601 with a zone, or a date, which is its midnight in UTC. */
function instantOf(text: string): Date | undefined {
  const [, year, month, day] = (INSTANT.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined || year < 1970 || year > 9998) return undefined
  // 30 February would become 2 March.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) || at.getTime() < 0 ? undefined : at
}

/** Words of which one is meant: `a, b or c`. */
export function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
