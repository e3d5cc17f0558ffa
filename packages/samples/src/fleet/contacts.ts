import type { ContactInput } from '@benchwatch/contract/registry'
import type { Keyed } from '../registry-objects.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { CustomerSketch } from './customers.ts'
import { loginName, namePools } from './names.ts'

/** What people write into telephone fields when they have no number at hand. */
const malformedNumbers = ['n/a', 'ext. 214', 'see reception', '+46 18', '0000000', '555 01 20 / 21 (mornings)']

/** Addresses as they came from somebody's spreadsheet; none has a blank, so each can still be a key. */
const malformations: readonly ((address: string) => string)[] = [
  (address) => address.replace('@', '(at)'),
  (address) => address.replace('.example', ''),
  (address) => address.replace('.', ',').replace('@', '@@'),
  (address) => `mailto:${address};`,
]

/** Four to eight people of a customer, the last one or two of them from IT. */
export function contactsOf(
  customer: CustomerSketch,
  { random }: { random: SeededRandom },
): { people: Keyed<ContactInput>[]; it: Keyed<ContactInput>[] } {
  const pool = namePools[customer.people]
  const peopleCount = random.integer(3, 6)
  const itCount = random.integer(1, 2)
  const taken = new Set<string>()
  const contacts = Array.from({ length: peopleCount + itCount }, (_, index) => {
    const draw = random.fork(`contact ${index}`)
    let name = `${draw.pick(pool.given)} ${draw.pick(pool.family)}`
    while (taken.has(name)) name = `${draw.pick(pool.given)} ${draw.pick(pool.family)}`
    taken.add(name)
    const address = `${loginName(name)}@${customer.mailDomain}`
    const isMalformed = index > 0 && draw.chance(0.09)
    return {
      key: isMalformed ? draw.pick(malformations)(address) : address,
      input: {
        customer: customer.key,
        name: index > 0 && draw.chance(0.03) ? null : name,
        phone: draw.chance(0.14) ? null : phone(draw, pool.dialling),
        mobile: draw.chance(0.35) ? null : phone(draw, pool.dialling),
      },
    }
  })
  return { people: contacts.slice(0, peopleCount), it: contacts.slice(peopleCount) }
}

function phone(draw: SeededRandom, dialling: string): string {
  if (draw.chance(0.08)) return draw.pick(malformedNumbers)
  return `${dialling} ${String(draw.integer(100, 199)).padStart(4, '0').replace(/(..)$/, ' $1')}`
}
