import { ApiProperty } from '@nestjs/swagger';

export class HealthStatus {
  @ApiProperty({ description: '`ok`; anything else is an error response', example: 'ok' }) status!: string;
}
