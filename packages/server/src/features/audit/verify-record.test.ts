import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuditEntry, auditHash, recordAudit, sealAudit } from '../../db/audit.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from './audit.queries.ts'
import { describeFinding } from './chains.ts'

let database: TestDatabase
let owner: Client

beforeAll(async () => {
  database = await testDatabase()
  owner = new Client(database.owner)
  await owner.connect()
})
afterAll(() => owner.end())

/**
 * Creates two seals: rows 1–4 (three of event 100001, one of event 100002), then rows 5–7 (two of 100001, one of a
 * gateway).
 */
beforeEach(async () => {
  await owner.query('TRUNCATE audit, audit_seal, audit_unsealed RESTART IDENTITY')
  await write('service_event', '100001', ['claimedBy', 'alertStatus', 'comment'])
  await write('service_event', '100002', ['claimedBy'])
  await sealAudit(database.db)
  await write('service_event', '100001', ['alertStatus', 'reasonClosed'])
  await write('gateway', '1', ['key'])
  await sealAudit(database.db)
})

async function write(entityType: 'service_event' | 'gateway', entityId: string, properties: string[]): Promise<void> {
  const entries: AuditEntry[] = properties.map((property) => ({
    action: 'changed',
    property,
    oldValue: 'a',
    newValue: 'b',
  }))
  const actor = { type: 'user', id: 7, name: 'Ines Berg' } as const
  await inTransaction(database.db, (trx) =>
    recordAudit(trx, { entityType, entityId, actor, at: new Date('2026-11-20T14:00:00.123Z') }, entries),
  )
}

async function verdict(): Promise<string[]> {
  return (await verifyAuditLog(database.db)).findings.map(describeFinding)
}

/** Changes a row and recomputes its hash, as an attacker who knows the algorithm would. */
async function changeAndRehash(id: number): Promise<void> {
  await owner.query('UPDATE audit SET new_value = $2 WHERE id = $1', [id, 'forged'])
  const row = await database.db.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await owner.query('UPDATE audit SET hash = $2 WHERE id = $1', [id, auditHash(row.previous_hash, row)])
}

test('an untouched record is intact, and rows that wait for their seal are no fault', async () => {
  await write('service_event', '100002', ['alertStatus'])
  const { rows, seals, lastSeal, findings } = await verifyAuditLog(database.db)
  expect(findings).toEqual([])
  expect({ rows, seals }).toEqual({ rows: 8, seals: 2 })
  expect(lastSeal).toMatch(/^[0-9a-f]{64}$/)
})

test('an empty record is intact', async () => {
  await owner.query('TRUNCATE audit, audit_seal, audit_unsealed')
  expect(await verifyAuditLog(database.db)).toEqual({ rows: 0, seals: 0, lastSeal: null, findings: [] })
})

describe('a changed row is named', () => {
  test.each(['actor_name', 'old_value', 'new_value', 'reason', 'action', 'property', 'actor_id'])(
    'when its %s was changed',
    async (column) => {
      await owner.query(`UPDATE audit SET ${column} = 'forged' WHERE id = 2`)
      expect(await verdict()).toEqual([
        'service_event 100001, position 2 (row 2): content changed after it was written.',
      ])
    },
  )

  test('when its time was moved by a millisecond', async () => {
    await owner.query("UPDATE audit SET at = at + interval '1 ms' WHERE id = 4")
    expect(await verdict()).toEqual(['service_event 100002, position 1 (row 4): content changed after it was written.'])
  })

  test('when its hash was made to fit, by the row after it and by the seal', async () => {
    await changeAndRehash(2)
    expect(await verdict()).toEqual([
      'service_event 100001, position 3 (row 3): chain broken; the row does not continue the previous one.',
      'Seal 1: seal broken; it does not match the rows it covers.',
    ])
  })

  test('when it is the last of its chain and its hash was made to fit, by the seal', async () => {
    await changeAndRehash(4)
    expect(await verdict()).toEqual(['Seal 1: seal broken; it does not match the rows it covers.'])
  })

  test('when it was handed to another entity', async () => {
    await owner.query("UPDATE audit SET entity_id = '100009' WHERE id = 7")
    expect(await verdict()).toContain('gateway 100009, position 1 (row 7): content changed after it was written.')
  })
})

describe('a removed row is named', () => {
  test('from the middle of a chain', async () => {
    await owner.query('DELETE FROM audit WHERE id = 2')
    expect(await verdict()).toEqual([
      'service_event 100001, position 2: row removed.',
      'Row 2: row removed; seal 1 covers it.',
    ])
  })

  test('from the tail of a chain', async () => {
    await owner.query('DELETE FROM audit WHERE id = 6')
    expect(await verdict()).toEqual(['Row 6: row removed; seal 2 covers it.'])
  })

  test('when later rows were closed up over the gap', async () => {
    await owner.query('DELETE FROM audit WHERE id IN (2, 3)')
    await owner.query("UPDATE audit SET entity_seq = entity_seq - 2 WHERE entity_id = '100001' AND entity_seq > 3")
    const findings = await verdict()
    expect(findings).toContain(
      'service_event 100001, position 2 (row 5): chain broken; the row does not continue the previous one.',
    )
    expect(findings).toContain('Row 2: row removed; seal 1 covers it.')
    expect(findings).toContain('Row 3: row removed; seal 1 covers it.')
  })

  test('when the whole chain went', async () => {
    await owner.query("DELETE FROM audit WHERE entity_id = '100002'")
    expect(await verdict()).toEqual(['Row 4: row removed; seal 1 covers it.'])
  })

  test('before it was sealed', async () => {
    await write('service_event', '100002', ['alertStatus'])
    await owner.query('DELETE FROM audit WHERE id = 8')
    expect(await verdict()).toEqual(['Row 8: row removed before it was sealed.'])
  })
})

describe('a forged row is named', () => {
  test('with hashes of nothing', async () => {
    await owner.query(`
      INSERT INTO audit (entity_type, entity_id, entity_seq, at, actor_type, actor_name, action, previous_hash, hash)
      VALUES ('service_event', '100001', 6, now(), 'system', 'Automatic', 'changed', '\\x00', '\\x00')`)
    expect(await verdict()).toEqual([
      'service_event 100001, position 6 (row 8): chain broken; the row does not continue the previous one.',
      'service_event 100001, position 6 (row 8): content changed after it was written.',
      'service_event 100001, position 6 (row 8): never sealed; the row was forged or its seal removed.',
    ])
  })

  test('with hashes that fit its chain, because no seal covers it', async () => {
    await write('service_event', '100001', ['alertStatus'])
    await owner.query('DELETE FROM audit_unsealed')
    expect(await verdict()).toEqual([
      'service_event 100001, position 6 (row 8): never sealed; the row was forged or its seal removed.',
    ])
  })
})

describe('a seal is named', () => {
  test('when it was removed from the middle', async () => {
    await owner.query('DELETE FROM audit_seal WHERE seq = 1')
    const findings = await verdict()
    expect(findings[0]).toBe('Seal 1: seal removed.')
    expect(findings.slice(1)).toHaveLength(4)
    expect(findings[1]).toBe(
      'service_event 100001, position 1 (row 1): never sealed; the row was forged or its seal removed.',
    )
  })

  test('when the last one was removed, by the rows that it covered', async () => {
    await owner.query('DELETE FROM audit_seal WHERE seq = 2')
    expect(await verdict()).toEqual(
      [
        'service_event 100001, position 4 (row 5)',
        'service_event 100001, position 5 (row 6)',
        'gateway 1, position 1 (row 7)',
      ].map((row) => `${row}: never sealed; the row was forged or its seal removed.`),
    )
  })

  test('when its hash was changed, with the one after it', async () => {
    await owner.query("UPDATE audit_seal SET hash = '\\x00' WHERE seq = 1")
    expect(await verdict()).toEqual([
      'Seal 1: seal broken; it does not match the rows it covers.',
      'Seal 2: seal broken; it does not continue the previous seal.',
    ])
  })

  test('when a row was taken out of it together with the row', async () => {
    await owner.query('DELETE FROM audit WHERE id = 4')
    await owner.query('UPDATE audit_seal SET audit_ids = array_remove(audit_ids, 4) WHERE seq = 1')
    expect(await verdict()).toEqual(['Seal 1: seal broken; it does not match the rows it covers.'])
  })
})

test.each([
  'UPDATE audit SET new_value = null',
  'DELETE FROM audit',
  'TRUNCATE audit',
  'DELETE FROM audit_seal',
  "UPDATE audit_seal SET hash = ''",
])('the application itself may not: %s', async (statement) => {
  await expect(database.pool.query(statement)).rejects.toThrow('permission denied')
})

test('a long chain is read in batches and loses nothing between them', async () => {
  const many = Array.from({ length: 5200 }, (_, index) => `property ${index}`)
  await write('service_event', '200000', many)
  await sealAudit(database.db)
  await sealAudit(database.db)
  expect(await verifyAuditLog(database.db)).toMatchObject({ rows: 5207, seals: 4, findings: [] })
  await owner.query("UPDATE audit SET reason = 'x' WHERE entity_id = '200000' AND entity_seq = 5001")
  expect(await verdict()).toEqual([
    'service_event 200000, position 5001 (row 5008): content changed after it was written.',
  ])
})

test('many rows that came at once are sealed while the statistics still say that none wait', async () => {
  for (const entityId of ['200000', '200001']) {
    const many = Array.from({ length: 5000 }, (_, index) => `property ${index}`)
    // Stays within the statement timeout of four seconds.
    for (let part = 0; part < 4; part++) await write('service_event', entityId, many)
    for (let seal = 0; seal < 4; seal++) expect(await sealAudit(database.db)).toBe(5000)
    // The statistics now describe empty pages, so the planner expects no rows.
    await owner.query('ANALYZE audit_unsealed')
  }
  expect(await verdict()).toEqual([])
})
