import { TEMPLATE_ID } from '../patterns.ts'

/**
 * Template ids of conditions that have a name instead of a number. The same names always make the same id, in every
 * release: event templates are registered under it.
 */

const LONGEST = 40

/**
 * Returns `<module>-<code>`, which matches TEMPLATE_ID. Spaces become `_` (in the module `-`), and accents are dropped:
 * `Überdruck hoch` becomes `Uberdruck_hoch`. If other characters had to go, or if the name has more than 40 characters,
 * a hash of the whole name follows, so that different names keep different ids: `O₂ > 20 %` becomes `O2_20_79a40373`.
 */
export function namedTemplateId({ module, condition }: { module: string; condition: string }): string {
  return `${shortName(module, { joint: '-', plain: /[^A-Za-z0-9]+/g })}-${shortName(condition, { joint: '_', plain: /[^A-Za-z0-9_.]+/g })}`
}

/**
 * Returns the template id that a text of the form `<module>-<name>` stands for. What follows the first hyphen becomes a
 * code if it is none; a text without a hyphen belongs to the module `X`.
 */
export function templateIdOf(text: string): string {
  if (TEMPLATE_ID.test(text)) return text
  const [module = '', ...rest] = text.split('-')
  return rest.length === 0
    ? namedTemplateId({ module: 'X', condition: text })
    : namedTemplateId({ module, condition: rest.join('-') })
}

function shortName(name: string, { joint, plain }: { joint: string; plain: RegExp }): string {
  const words = name.normalize('NFKD').replace(/\p{M}/gu, '').trim()
  const short = words.replace(plain, joint)
  const isWhole = words.replace(/\s+/g, joint) === short && short.length <= LONGEST && /^[A-Za-z0-9]/.test(short)
  if (isWhole) return short
  const start = short
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, LONGEST - 9)
    .replace(/[^A-Za-z0-9]+$/, '')
  return [start, hashOf(name)].filter(Boolean).join(joint)
}

/** FNV-1a of the UTF-8 bytes, 32 bits in hexadecimal: short, and the same on every computer. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text.normalize('NFC'))) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
