import { randomBytes } from 'node:crypto'

/**
 * The name of one life of an outbox: a UUID of version 7. A wiped gateway gets a new one and so never reuses an id, and
 * because the instant stands in front, later lives sort after earlier ones.
 */
export function newEpoch(now: number): string {
  const time = Math.floor(now).toString(16).padStart(12, '0')
  const random = randomBytes(10)
  const version = 0x70 | (random.readUInt8(0) & 0x0f)
  const variant = 0x80 | (random.readUInt8(2) & 0x3f)
  random.writeUInt8(version, 0)
  random.writeUInt8(variant, 2)
  const hex = time + random.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
