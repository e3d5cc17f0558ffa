import { describe, expect, it } from 'vitest'
import { changedFields, conflicts, editsOf } from './draft.ts'

const record = { name: 'Anna', role: 'service', customers: ['helix'] as string[] | null }

describe('edits of a record', () => {
  it('are the values that differ, and none when every field is back to what it was', () => {
    expect(editsOf(record, { name: 'Anna', role: 'support', customers: ['helix'] })).toEqual({ role: 'support' })
    expect(editsOf(record, { ...record, customers: ['helix'] })).toEqual({})
    expect(editsOf(record, { ...record, customers: null })).toEqual({ customers: null })
  })

  it('conflict only where another user changed the same field to something else', () => {
    const now = { ...record, role: 'support', name: 'Anna B.' }
    expect(changedFields(record, now)).toEqual(['name', 'role'])
    expect(conflicts({ name: 'Anna Lind' }, record, now)).toEqual(['name'])
    expect(conflicts({ name: 'Anna B.' }, record, now)).toEqual([])
    expect(conflicts({ customers: null }, record, now)).toEqual([])
  })
})
