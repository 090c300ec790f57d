/**
 * The one payload whose keys are partly names and partly data. NIXL, Mooncake's transfer connector and HF3FS send a
 * flat map of fields, Mooncake's store a list of maps for each operation, a MultiConnector one of these a class name.
 * Their field names become camelCase, everything else stays as it came.
 */

const FIELD_NAMES = [
  'transferDuration',
  'postDuration',
  'bytesTransferred',
  'numDescriptors',
  'numFailedTransfers',
  'numFailedNotifications',
  'numFailedRecvs',
  'numKvExpiredReqs',
  'numNotificationsAfterExpiry',
  'saveDuration',
  'loadDuration',
  'numFailedSave',
  'numFailedLoad',
  'numTransferTask',
  'durationSeconds',
  'numKeys',
  'numBytes',
  'numFailedKeys',
];

/** Eight MultiConnectors inside each other, each child wrapped: the recorder follows them no further. */
const MAX_NESTING = 16;

const TO_CAMEL: ReadonlyMap<string, string> = new Map(
  FIELD_NAMES.map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
);
const TO_SNAKE: ReadonlyMap<string, string> = new Map([...TO_CAMEL].map(([snake, camel]) => [camel, snake]));

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

type Names = ReadonlyMap<string, string>;

function mapped(payload: object, names: Names, replace: (key: string, value: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [names.get(key) ?? key, replace(key, value)]),
  );
}

/** A record of an operation: its own names, and nothing inside it. */
function renamedRecord(record: unknown, names: Names): unknown {
  return isPlain(record) ? mapped(record, names, (_, value) => value) : record;
}

/** A payload: its names, those of the records it lists, and those of its children. */
function renamed(payload: unknown, names: Names, depth: number): unknown {
  if (!isPlain(payload) || depth > MAX_NESTING) return payload;
  const isWrapper = depth > 0 && Object.keys(payload).length === 1 && 'data' in payload;
  return mapped(payload, names, (key, value) => {
    if (Array.isArray(value)) return value.map((record) => renamedRecord(record, names));
    return isWrapper || /^[A-Z]/.test(key) ? renamed(value, names, depth + 1) : value;
  });
}

/** A decoded payload, its field names in camelCase. */
export function connectorFromWire(payload: object): unknown {
  return renamed(payload, TO_CAMEL, 0);
}

/** The same back again. */
export function connectorToWire(payload: object): unknown {
  return renamed(payload, TO_SNAKE, 0);
}
