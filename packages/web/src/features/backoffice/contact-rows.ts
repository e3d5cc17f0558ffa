import { folded } from '../../lib/folded.ts'

interface InstrumentContact {
  instrumentInstalledProductId: string
  instrumentCustomer: string
  contactEmails: string[]
}

/** The instruments of which id, customer or an address holds every word of `keyword`, whatever its case and accents. */
export function foundContacts<Row extends InstrumentContact>(rows: readonly Row[], keyword: string): Row[] {
  const words = folded(keyword).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...rows]
  return rows.filter(({ instrumentInstalledProductId, instrumentCustomer, contactEmails }) => {
    const text = folded([instrumentInstalledProductId, instrumentCustomer, ...contactEmails].join('\n'))
    return words.every((word) => text.includes(word))
  })
}
