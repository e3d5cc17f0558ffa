import type { ContractInput } from '@benchwatch/contract/registry'
import type { Keyed } from '../registry-objects.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { CustomerSketch } from './customers.ts'
import { daysFrom } from './days.ts'

/** 24-hour terms that are written freely in life; the fixed ones depend on the region. */
const freeFullSupportTerms = ['Platinum 24/7', 'Premium 24x7', '24 h on site', 'Response within 24 hours']
const officeHoursTerms = ['Gold 8/5', 'Silver next business day', 'Standard 5 days', '48-hour response', 'Remote only']
const types = ['Complete Care', 'Complete Care', 'Assurance Plus', 'Preventive Maintenance', 'Warranty']

/** Terms of the customer's home region as the fixed list of the vocabulary spells them. */
const regionalTerms: Record<CustomerSketch['people'], readonly string[]> = {
  nordic: ['24/7 Nordics', '24/7 EMEA'],
  german: ['24/7 DACH', '24/7 EMEA'],
  english: ['24/7 Americas', '24/7 UK&I', '24/7 Global'],
  french: ['24/7 France', '24/7 EMEA'],
  polish: ['24/7 CEE'],
  dutch: ['24/7 Benelux', '24/7 EMEA'],
  italian: ['24/7 DACH', '24/7 Italy'],
  latin: ['24/7 Latin America'],
  japanese: ['24/7 Japan', '24/7 APAC'],
  chinese: ['24/7 China'],
}

/** Three to six contracts of a customer; about a fifth have run out, a few have no term or no end. */
export function contractsOf(
  customer: CustomerSketch,
  { random, now, firstNumber }: { random: SeededRandom; now: Date; firstNumber: number },
): Keyed<ContractInput>[] {
  const count = random.integer(3, 6)
  return Array.from({ length: count }, (_, index) => {
    const draw = random.fork(`contract ${index}`)
    const isFullSupport = draw.chance(customer.tierOne ? 0.6 : 0.3)
    const fullSupportTerm = draw.chance(0.5)
      ? draw.pick(regionalTerms[customer.people])
      : draw.pick(freeFullSupportTerms)
    const hasRunOut = index > 0 && draw.chance(0.25)
    return {
      key: `SC-${firstNumber + index}`,
      input: {
        customer: customer.key,
        type: draw.pick(types),
        slaTerm: isFullSupport ? fullSupportTerm : draw.chance(0.12) ? null : draw.pick(officeHoursTerms),
        tierOne: customer.tierOne && draw.chance(0.8),
        startDate: daysFrom(now, -draw.integer(420, 1500)),
        endDate: hasRunOut
          ? daysFrom(now, -draw.integer(4, 300))
          : draw.chance(0.06)
            ? null
            : daysFrom(now, draw.integer(25, 1000)),
      },
    }
  })
}
