import { ApiProperty } from '@nestjs/swagger';

export class HealthStatus {
  @ApiProperty({ description: '`ok`. Any other status is an error response', example: 'ok' }) status!: string;
}
