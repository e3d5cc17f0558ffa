import { expect, it } from 'vitest'
import { foundContacts } from './instrument-contacts.tsx'

const rows = [
  {
    instrumentInstalledProductId: 'IP-1',
    instrumentCustomer: 'Helix Biologics',
    contactEmails: ['m.oberg@helix.example'],
  },
  { instrumentInstalledProductId: 'IP-2', instrumentCustomer: 'Nørre Pharma', contactEmails: [] },
]
const found = (keyword: string) => foundContacts(rows, keyword).map((row) => row.instrumentInstalledProductId)

it('contacts are found by every word of id, customer or address, whatever case and accents', () => {
  expect(found('')).toEqual(['IP-1', 'IP-2'])
  expect(found('HELIX oberg')).toEqual(['IP-1'])
  expect(found('norre')).toEqual(['IP-2'])
  expect(found('helix norre')).toEqual([])
})
