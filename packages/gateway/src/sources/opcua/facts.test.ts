import { coerceLocalizedText, coerceNodeId, DataType, Variant } from 'node-opcua-client'
import { describe, expect, it } from 'vitest'
import { eventFields, plain, readEvent } from './facts.ts'
import { nodeText, numberedNode } from './nodes.ts'

const namespaces = ['http://opcfoundation.org/UA/', 'urn:own', 'http://maker/;odd']

describe('values of OPC UA', () => {
  it('become plain', () => {
    expect(plain(coerceLocalizedText('Lid open'), namespaces)).toBe('Lid open')
    expect(plain({ namespaceIndex: 2, name: 'TankLevel' }, namespaces)).toBe('TankLevel')
    expect(plain(Buffer.from([1, 255]), namespaces)).toBe('01ff')
    expect(plain(new Float32Array([0.5]), namespaces)).toEqual([0.5])
    expect(plain(undefined, namespaces)).toBeNull()
    expect(plain(Number.NaN, namespaces)).toBeNaN()
    expect(plain({ low: 1, high: 2 }, namespaces)).toEqual({ low: 1, high: 2 })
  })
})

describe('node ids', () => {
  it('name their namespace by its address, there and back', () => {
    for (const text of ['i=2253', 'nsu=urn:own;s=Tank;1', 'nsu=http://maker/;odd;i=7']) {
      const numbered = numberedNode(text, namespaces)
      expect(nodeText(coerceNodeId(numbered), namespaces)).toBe(text)
    }
  })

  it('of a namespace that the server does not have are unknown', () => {
    expect(numberedNode('nsu=urn:other;s=Tank', namespaces)).toBeNull()
    expect(numberedNode('ns=1;s=Tank', namespaces)).toBe('ns=1;s=Tank')
  })
})

describe('events', () => {
  const event = (fields: Record<string, Variant>) =>
    readEvent(
      eventFields.map((name) => fields[name] ?? new Variant()),
      namespaces,
    )
  const nodeId = (text: string) => new Variant({ dataType: DataType.NodeId, value: coerceNodeId(text) })

  it('belong to a condition that keeps its key when the server numbers its namespaces differently', () => {
    const { conditionKey } = event({ ConditionId: nodeId('ns=1;s=Level') })
    const [first, own, other] = namespaces
    const renumbered = readEvent(
      eventFields.map((name) => (name === 'ConditionId' ? nodeId('ns=2;s=Level') : new Variant())),
      [first ?? '', other ?? '', own ?? ''],
    )
    expect(conditionKey).toMatch(/^condition-/)
    expect(renumbered.conditionKey).toBe(conditionKey)
  })

  it('without a condition have no key, and branches are distinguished', () => {
    expect(event({ ConditionId: nodeId('i=0'), BranchId: nodeId('i=0') })).toMatchObject({
      conditionKey: null,
      isBranch: false,
    })
    expect(event({}).conditionKey).toBeNull()
    expect(event({ ConditionId: nodeId('ns=1;s=Level'), BranchId: nodeId('ns=1;i=5') }).isBranch).toBe(true)
  })
})
