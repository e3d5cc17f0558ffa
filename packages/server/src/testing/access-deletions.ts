import { type AccessRequest, addPerson, type Scene } from './access-callers.ts'
import { profileOf } from './access-mailing.ts'

/** Good requests to take something out for good, and about events that were held back (`access-requests.ts`). */
export const deletionRequests = {
  deleteInstrument: ({ world }: Scene) => ({ params: { id: world.a.registered.instrument.key } }),
  deleteServiceEvent: async ({ world }: Scene) => ({ params: { id: await world.a.raise() } }),
  deleteLogEntry: async (scene: Scene) => ({ params: { id: await lineOfA(scene) } }),
  deleteProfile: async (scene: Scene): Promise<AccessRequest<'deleteProfile'>> => ({
    params: { id: await profileOf(scene) },
  }),
  listUserProfiles: async (scene: Scene): Promise<AccessRequest<'listUserProfiles'>> => {
    const { user_id } = await scene.app.database.db
      .selectFrom('profile')
      .where('id', '=', Number(await profileOf(scene)))
      .select('user_id')
      .executeTakeFirstOrThrow()
    return { params: { id: String(user_id) } }
  },
  deleteUser: async ({ app, world }: Scene) => {
    const { id } = await addPerson(app, { role: 'customer', scope: [world.a.id], name: `${world.a.mark} colleague` })
    return { params: { id: String(id) } }
  },
  listHeldBackEvents: () => ({ query: {} }),
  releaseHeldBackEvent: async (scene: Scene) => ({ params: { id: await heldBackOfA(scene) } }),
} as const

async function instrumentOfA({ app, world }: Scene) {
  return app.database.db
    .selectFrom('instrument')
    .where('installed_product_id', '=', world.a.registered.instrument.key)
    .select(['id', 'customer_id', 'gateway_id'])
    .executeTakeFirstOrThrow()
}

async function lineOfA(scene: Scene): Promise<string> {
  const { app, world } = scene
  const { id } = await app.database.db
    .insertInto('log_entry')
    .values({
      instrument_id: (await instrumentOfA(scene)).id,
      log_type: 'VID',
      ts: app.clock.now(),
      message: `${world.a.mark} line`,
      received_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

async function heldBackOfA(scene: Scene): Promise<string> {
  const { app, world } = scene
  const instrument = await instrumentOfA(scene)
  const component = await app.database.db
    .insertInto('component')
    .values({ name: `Held ${Math.random()}`, type: 'Held', name_folded: 'held' })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  const at = app.clock.now()
  const data = { alertId: component.name, templateId: 'P9B-1042', alertType: 1, componentName: component.name }
  const { id } = await app.database.db
    .insertInto('held_back_event')
    .values({
      instrument_id: instrument.id,
      customer_id: instrument.customer_id,
      gateway_id: instrument.gateway_id ?? 0,
      template_id: data.templateId,
      component_id: component.id,
      epoch: 1,
      sequence: 1,
      raises: 1,
      item: JSON.stringify({
        specversion: '1.0',
        id: `held-${component.id}`,
        source: `/gateways/${world.a.gateway.name}`,
        sequence: 1,
        type: 'benchwatch.alarm.raised',
        subject: world.a.registered.instrument.key,
        time: at.toISOString(),
        data: { ...data, logGeneratedAt: at.toISOString() },
      }),
      description: `${world.a.mark} held`,
      raised_at: at,
      held_back_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}
