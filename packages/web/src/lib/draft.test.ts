import { describe, expect, it } from 'vitest'
import { applyEdits, changedFields, conflicts, hasEdits, realEdits, withoutEdits } from './draft.ts'

const record = { name: 'Anna', role: 'service', customers: ['helix'] as string[] | null }

describe('edits of a record', () => {
  it('lie over the record, and what was left alone follows it', () => {
    expect(applyEdits({ ...record, role: 'support' }, { name: 'Anna Lind' })).toEqual({
      name: 'Anna Lind',
      role: 'support',
      customers: ['helix'],
    })
  })

  it('are none when every field is back to what it was', () => {
    expect(hasEdits(record, { name: 'Anna', customers: ['helix'] })).toBe(false)
    expect(hasEdits(record, { customers: ['helix', 'novara'] })).toBe(true)
    expect(hasEdits(record, { customers: null })).toBe(true)
  })

  it('of a field that was put back are none: it follows the record again', () => {
    const edits = realEdits(record, { name: 'Anna', role: 'support', customers: ['helix'] })
    expect(edits).toEqual({ role: 'support' })
    expect(applyEdits({ ...record, name: 'Anna B.' }, edits).name).toBe('Anna B.')
  })

  it('of some fields can be dropped, as when only a part was saved', () => {
    expect(withoutEdits({ name: 'Bo', role: 'support' }, ['role'])).toEqual({ name: 'Bo' })
  })

  it('conflict only where somebody else changed the same field to something else', () => {
    const now = { ...record, role: 'support', name: 'Anna B.' }
    expect(changedFields(record, now)).toEqual(['name', 'role'])
    expect(conflicts({ name: 'Anna Lind' }, record, now)).toEqual(['name'])
    expect(conflicts({ name: 'Anna B.' }, record, now)).toEqual([])
    expect(conflicts({ customers: null }, record, now)).toEqual([])
  })
})
