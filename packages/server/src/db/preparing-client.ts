import { createHash } from 'node:crypto'
import { Client } from 'pg'

const names = new Map<string, string>()

/** A connection that prepares each statement with parameters once and then only sends its values. */
export class PreparingClient extends Client {
  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given
    const query = super.query as (...query: unknown[]) => never
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query.apply(this, given)
    return query.call(this, { name: nameOf(text), text }, values, ...rest)
  }
}

/** A name may have 63 bytes. The texts are few: values never stand in them. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
