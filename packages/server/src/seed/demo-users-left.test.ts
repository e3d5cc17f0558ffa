import { beforeAll, expect, it } from 'vitest'
import { addSamplePerson } from '../testing/sample-people.ts'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { refuseDemoUsers } from './demo-people.ts'

let database: TestDatabase
const refuse = () => refuseDemoUsers(database.db, { host: '0.0.0.0' })
const support = () => database.db.updateTable('app_user').where('login', '=', 'support@benchwatch.example')

beforeAll(async () => {
  database = await testDatabase()
  // Has the demo password.
  await addSamplePerson(database, { login: 'support@benchwatch.example', role: 'support' })
  await addSamplePerson(database, { login: 'ada@lab.example', role: 'admin' })
})

it('demo users whom everybody could be stop a start on another address, and are named', async () => {
  await expect(refuse()).rejects.toMatchObject({
    message: expect.stringMatching(/^HOST is 0\.0\.0\.0, but demo users [^:]*: support@benchwatch\.example\. Start /),
    forOperator: true,
  })
})

it('once they are disabled, or have a password of their own, nothing is in the way', async () => {
  await support().set({ disabled_at: new Date() }).execute()
  await refuse()
  await support().set({ disabled_at: null, password_hash: null }).execute()
  await refuse()
})
