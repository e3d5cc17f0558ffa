import { expect, it } from 'vitest'
import type { GroupRights } from '../../config.ts'
import { rightsOf } from './group-rights.ts'

const rules: GroupRights[] = [
  { name: 'Lab admins', role: 'admin', customers: null },
  { name: 'Field north', role: 'service', customers: ['nordic'] },
  { name: 'Helix', role: 'customer', customers: ['helix', 'helix-labs'] },
]

it.each([
  [[], undefined],
  [['Canteen'], undefined],
  [['helix '], { role: 'customer', customers: ['helix', 'helix-labs'] }],
  [['Helix', 'Canteen', 'FIELD NORTH'], { role: 'service', customers: ['nordic', 'helix', 'helix-labs'] }],
  [['Helix', 'Lab admins'], { role: 'admin', customers: null }],
])('the groups %j allow %j together', (names, rights) => {
  expect(rightsOf(names, rules)).toEqual(rights)
})
