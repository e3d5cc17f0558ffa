import { describe, expect, it } from 'vitest'
import { mayEnterBackoffice, readBackofficePlace } from './backoffice-parts.ts'

it.each([
  [undefined, { part: 'tools', tool: null }],
  ['create-event', { part: 'tools', tool: 'create-event' }],
  ['feed', { part: 'feed', tool: null }],
  ['nonsense', { part: 'tools', tool: null }],
] as const)('/backoffice?tool=%s leads to its place', (tool, place) => {
  expect(readBackofficePlace(tool)).toEqual(place)
})

describe('backoffice access', () => {
  it.each([
    ['support', ['BACKOFFICE'], true],
    ['service', ['BACKOFFICE', 'AUTO_EMAIL'], true],
    ['admin', ['AUTO_EMAIL'], false],
    ['customer', ['BACKOFFICE'], false],
  ] as const)('%s with %j: %s', (role, features, isAllowed) => {
    expect(mayEnterBackoffice(role, features)).toBe(isAllowed)
  })
})
