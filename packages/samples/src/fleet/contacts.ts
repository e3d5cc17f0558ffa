import type { ContactInput } from '@benchwatch/contract/administration/registry'
import type { Keyed } from '../registry-objects.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { CustomerSketch } from './customers.ts'
import { loginName, namePools } from './names.ts'

/** Typical entries in phone fields when no number is at hand. */
const malformedNumbers = ['n/a', 'ext. 214', 'see reception', '+', '0000000', '555 01 20 / 21 (mornings)']

/** Malformed addresses as in imported spreadsheets. They contain no spaces, so that each can still be a key. */
const malformations: readonly ((address: string) => string)[] = [
  (address) => address.replace('@', '(at)'),
  (address) => address.replace('.example', ''),
  (address) => address.replace('.', ',').replace('@', '@@'),
  (address) => `mailto:${address};`,
]

/** Country and area code of each country with sites. */
const dialling: Readonly<Record<string, string>> = {
  Argentina: '+54 11 5555',
  Australia: '+61 3 5550',
  Austria: '+43 1 5550',
  Belgium: '+32 9 555',
  Brazil: '+55 11 5555',
  Chile: '+56 2 2555',
  China: '+86 21 5550',
  Denmark: '+45 35 55',
  France: '+33 4 55 50',
  Germany: '+49 6221 555',
  Ireland: '+353 21 555',
  Italy: '+39 02 5550',
  Japan: '+81 78 555',
  Netherlands: '+31 71 555',
  Poland: '+48 22 555',
  Spain: '+34 93 555',
  Sweden: '+46 18 555',
  Switzerland: '+41 61 555',
  'United Kingdom': '+44 1438 55',
  'United States': '+1 617 555',
}

type Person = Keyed<ContactInput> & { country: string }

/** Returns four to eight people of a customer, at least one in each country; the last one or two work in IT. */
export function contactsOf(
  customer: CustomerSketch,
  { countries, random }: { countries: readonly string[]; random: SeededRandom },
): { people: Person[]; it: Person[] } {
  const pool = namePools[customer.people]
  const peopleCount = Math.max(countries.length, random.integer(3, 6))
  const itCount = random.integer(1, 2)
  const taken = new Set<string>()
  const contacts = Array.from({ length: peopleCount + itCount }, (_, index) => {
    const draw = random.fork(`contact ${index}`)
    let name = `${draw.pick(pool.given)} ${draw.pick(pool.family)}`
    while (taken.has(name)) name = `${draw.pick(pool.given)} ${draw.pick(pool.family)}`
    taken.add(name)
    const address = `${loginName(name)}@${customer.mailDomain}`
    const country = countries[(index < peopleCount ? index : index - peopleCount) % countries.length] ?? ''
    const isMalformed = index > 0 && draw.chance(0.09)
    return {
      country,
      key: isMalformed ? draw.pick(malformations)(address) : address,
      input: {
        customer: customer.key,
        name: index > 0 && draw.chance(0.03) ? null : name,
        phone: draw.chance(0.14) ? null : phone(draw, dialling[country] ?? '+'),
        mobile: draw.chance(0.35) ? null : phone(draw, dialling[country] ?? '+'),
      },
    }
  })
  return { people: contacts.slice(0, peopleCount), it: contacts.slice(peopleCount) }
}

function phone(draw: SeededRandom, dialling: string): string {
  if (draw.chance(0.08)) return draw.pick(malformedNumbers)
  return `${dialling} ${String(draw.integer(100, 199)).padStart(4, '0').replace(/(..)$/, ' $1')}`
}
