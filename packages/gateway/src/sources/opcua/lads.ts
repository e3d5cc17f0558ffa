import type { ClientSession, NodeId } from 'node-opcua-client'
import { plain } from './facts.ts'
import { childrenOf, NODE_CLASS_VARIABLE, type Node, nodeAt } from './nodes.ts'

/**
 * Finds the devices of a server that follow LADS (OPC 30500-1): below `DeviceSet`, each with functional units, their
 * states, the run of their program, and operation counters. Nodes are found by their browse names, which the standard
 * fixes; everything optional may be missing.
 */

export interface LadsDevice extends Node {
  serialNumber: string | null
  manufacturer: string | null
  model: string | null
  deviceState: NodeId | null
  units: { name: string; state: NodeId; runningState: NodeId | null; run: NodeId | null }[]
  counters: Node[]
}

export async function ladsDevices(session: ClientSession): Promise<LadsDevice[]> {
  const { resolveNodeId } = await import('node-opcua-client')
  const set = await nodeAt(session, resolveNodeId('ObjectsFolder'), 'DeviceSet')
  if (!set) return []
  const [candidates = []] = await childrenOf(session, [set])
  const devices: LadsDevice[] = []
  for (const node of candidates) {
    const units = await nodeAt(session, node.id, 'FunctionalUnitSet')
    if (units) devices.push(await deviceOf(session, node, units))
  }
  return devices
}

async function deviceOf(session: ClientSession, node: Node, units: NodeId): Promise<LadsDevice> {
  const { id } = node
  const text = async (property: string) => {
    const at = (await nodeAt(session, id, property)) ?? (await nodeAt(session, id, 'Identification', property))
    if (!at) return null
    const { value } = await session.read({ nodeId: at, attributeId: 13 })
    const given = plain(value.value, [])
    return typeof given === 'string' && given !== '' ? given : null
  }
  const [members = []] = await childrenOf(session, [units])
  const found: LadsDevice['units'] = []
  for (const unit of members) {
    const state = await nodeAt(session, unit.id, 'FunctionalUnitState', 'CurrentState')
    if (!state) continue
    found.push({
      name: unit.name,
      state,
      runningState: await nodeAt(session, unit.id, 'FunctionalUnitState', 'RunningStateMachine', 'CurrentState'),
      run: await nodeAt(session, unit.id, 'ProgramManager', 'ActiveProgram', 'DeviceProgramRunId'),
    })
  }
  const counters =
    (await nodeAt(session, id, 'OperationCounters')) ??
    (await nodeAt(session, id, 'MachineryBuildingBlocks', 'OperationCounters'))
  const [counted = []] = counters ? await childrenOf(session, [counters]) : []
  return {
    ...node,
    serialNumber: await text('SerialNumber'),
    manufacturer: await text('Manufacturer'),
    model: await text('Model'),
    deviceState: await nodeAt(session, id, 'DeviceState', 'CurrentState'),
    units: found,
    counters: counted.filter(({ nodeClass }) => nodeClass === NODE_CLASS_VARIABLE),
  }
}
