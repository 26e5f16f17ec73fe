import { ApiProperty } from '@nestjs/swagger';
import { MOVING_ROLES } from './transition.entity.js';

class ApprovalCount {
  @ApiProperty({
    description: 'Number of approvals that the move needs',
    type: 'integer',
    format: 'int32',
    minimum: 0,
    example: 1,
  })
  needed!: number;
  @ApiProperty({
    description: 'Number of approvals that count for it now',
    type: 'integer',
    format: 'int32',
    minimum: 0,
    example: 0,
  })
  given!: number;
}

/** A transition that is open to a record. */
export class OpenTransition {
  @ApiProperty({ description: 'Field that moves', example: 'status' }) field!: string;
  @ApiProperty({ description: 'Value that the move leads to', example: 'approved' }) to!: string;
  @ApiProperty({ description: 'Lowest role that may make the move', enum: MOVING_ROLES, enumName: 'TransitionRole' })
  role!: string;
  @ApiProperty({ description: 'Approvals of the move' }) approvals!: ApprovalCount;
  @ApiProperty({ description: 'Whether the caller may make it now', example: false }) allowed!: boolean;
  @ApiProperty({
    description: 'Why the caller may not make it now; null if the caller may',
    type: String,
    nullable: true,
    example: 'needs the role manager or above',
  })
  why!: string | null;
}
