import { ActionReply } from '../../http/replies.js';
import { DRY_RUN, flagOption } from '../../lists/parameters/query-options.js';
import type { OtherFile } from '../../resource/resource.definition.js';
import type { DeviceTypesService } from '../device-type/device-types.service.js';
import { LibraryReader } from './library-file.js';
import { DeviceTypeLibraryImport } from './library-import.models.js';

const OPTIONS = {
  overwrite: flagOption(
    'overwrite',
    'YAML only. `true`: also overwrites device types that a customer created or changed, and their ports',
  ),
  dryRun: DRY_RUN,
};

const EXAMPLE = `manufacturer: Cisco
model: Catalyst 9300-24P
slug: cisco-c9300-24p
part_number: C9300-24P
u_height: 1
is_full_depth: true
interfaces:
  - name: GigabitEthernet0/0
    type: 1000base-t
    mgmt_only: true
`;

/** Documents of the community device type library, as the import of device types takes them. */
export const LIBRARY_FILE: OtherFile<DeviceTypesService> = {
  type: 'application/yaml',
  options: OPTIONS,
  text: 'As `application/yaml` it accepts unmodified documents of the community device type library, with `overwrite` and `dryRun` as its only parameters. A device type is identified by manufacturer and model. Missing manufacturers are created, and interfaces become ports. A device type that a customer created or changed is left alone without `overwrite=true`. All documents are imported, or none. The response lists the keys that are ignored.',
  example: EXAMPLE,
  response: DeviceTypeLibraryImport,
  async import(service, ctx, file, options) {
    const given = options as { overwrite: boolean; dryRun: boolean };
    // Read before the transaction, because reading takes longer than writing.
    const reader = new LibraryReader();
    await reader.read(file.chunks());
    const result = await service.importLibrary(ctx, reader.types(), given);
    return new ActionReply([JSON.stringify(result)], [], given.dryRun);
  },
};
