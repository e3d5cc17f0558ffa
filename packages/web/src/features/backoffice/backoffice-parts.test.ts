import { expect, it } from 'vitest'
import { readBackofficePlace } from './backoffice-parts.ts'

it.each([
  [undefined, { part: 'tools', tool: null }],
  ['create-event', { part: 'tools', tool: 'create-event' }],
  ['feed', { part: 'feed', tool: null }],
  ['nonsense', { part: 'tools', tool: null }],
] as const)('/backoffice?tool=%s leads to its place', (tool, place) => {
  expect(readBackofficePlace(tool)).toEqual(place)
})
