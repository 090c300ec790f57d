import { OPAQUE_LIST, OPAQUE_MAP } from '../fields/compound-types.js';
import { type FieldType, refuse } from '../fields/field-type.js';
import { FLAG, STRING, UINT } from '../fields/scalar-types.js';
import { type Field, type Fields, readPositions, writePositions } from '../fields/struct.js';

/** An adapter's seven positions, as the trees of August 2026 have them. */
const LORA_FIELDS: readonly Field[] = [
  { name: 'loraName', key: 'lora_name', type: STRING },
  { name: 'loraIntId', key: 'lora_int_id', type: UINT },
  { name: 'loraPath', key: 'lora_path', type: STRING },
  { name: 'baseModelName', key: 'base_model_name', type: STRING },
  { name: 'tensorizerConfigDict', key: 'tensorizer_config_dict', type: OPAQUE_MAP },
  { name: 'loadInplace', key: 'load_inplace', type: FLAG, fallback: false },
  { name: 'is3dLoraWeight', key: 'is_3d_lora_weight', type: FLAG, fallback: false },
];

/** Release 0.32.0 has no tensorizer configuration. */
const SHORTER_FIELDS = LORA_FIELDS.filter(({ name }) => name !== 'tensorizerConfigDict');

function checkRequired(lora: Fields, path: string): void {
  for (const { name, type } of LORA_FIELDS.slice(0, 3)) type.check(lora[name], `${path}.${name}`);
}

/** An adapter as an object of fields; an array is written as it is and read by its length. */
export const LORA: FieldType = {
  fits: (value) => typeof value === 'object' && value !== null,
  check(value, path) {
    if (typeof value !== 'object' || value === null) refuse(path, 'an object', value);
    else if (!Array.isArray(value)) checkRequired(value as Fields, path);
  },
  write(writer, value, path) {
    if (Array.isArray(value)) OPAQUE_LIST.write(writer, value, path);
    else writePositions(writer, LORA_FIELDS, value as Fields, path); // `check` came first
  },
  read(value) {
    if (!Array.isArray(value)) return undefined;
    return readPositions(typeof value[4] === 'boolean' ? SHORTER_FIELDS : LORA_FIELDS, value);
  },
};
