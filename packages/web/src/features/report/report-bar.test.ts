import { expect, it } from 'vitest'
import { reportFileName } from './system-report.tsx'

const madeAt = Date.parse('2026-11-02T12:00:00Z')
const named = (description: string, installedProductId = 'IP-20431187') =>
  reportFileName({ description, installedProductId, madeAt })

it('the PDF is named from the product description, the installed product id and the date', () => {
  expect(named('ÄKTA pure 25')).toBe('ÄKTA-pure-25_IP-20431187_02-Nov-2026.pdf')
})

it.each([
  ['a path', '../../etc/passwd', 'etc-passwd'],
  ['what Windows forbids', 'CON: "25" <*?|>\\', 'CON-25'],
  ['a line end and a direction mark', 'pure\r\n\u202E25', 'pure-25'],
  ['another script', '精製ライン3号機', '精製ライン3号機'],
])('a name keeps no sign with a meaning to a file system: %s', (_case, description, part) => {
  expect(named(description)).toBe(`${part}_IP-20431187_02-Nov-2026.pdf`)
})

it('a description without letters is left out, a long one cut', () => {
  expect(named('***')).toBe('IP-20431187_02-Nov-2026.pdf')
  expect(named('a'.repeat(300)).length).toBeLessThan(120)
})
