import { ApiProperty } from '@nestjs/swagger';

/** The current holder of an asset in the asset's record. */
export class CurrentAssignee {
  @ApiProperty({ description: 'Identifier of the open assignment', format: 'uuid' }) id!: string;
  @ApiProperty({ description: "The person's full name" }) fullName!: string;
  @ApiProperty({ description: "The person's email address", type: String, nullable: true }) email!: string | null;
  @ApiProperty({ description: 'Identifier of the person', format: 'uuid' }) personId!: string;
  @ApiProperty({ description: "The person's login profile", type: String, format: 'uuid', nullable: true })
  userId!: string | null;
}
