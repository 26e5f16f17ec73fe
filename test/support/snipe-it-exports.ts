/** The exports of a small Snipe-IT: an asset that stands twice, labels of several kinds, and places within each other. */
export const SNIPE_IT_EXPORTS = {
  'assets.csv': `Company,Asset Name,Asset Tag,Serial,Model,Model No.,Category,Status,Checked Out To,Location,Default Location,Manufacturer,Supplier,Purchase Date,Purchase Cost,Warranty,Notes,MAC Address
Initech,edge-1,AT-1,SN-1,Switch 48,S48,Switches,Ready to Deploy,Ada Lovelace,Room 1,Room 1,Acme,Shop,12/31/2024,"$1,234.50",36 months,ours,00:11:22:33:44:55
Initech,,AT-2,SN-2,Switch 48,S48,Switches,Out for Repair,,Headquarters,,Acme,,01/05/2025,12.5,,,
,printer,AT-3,SN-3,Printer,,Printers,Lost/Stolen,gh,,,Acme,,,"1,000",,,
,AT-1 again,AT-1,SN-9,Printer,,Printers,Archived,,,,,,,,,,
`,
  'people.csv': `Name,Title,Email,Phone,Username,Department,Location,Manager
Ada Lovelace,Engineer,ada@example.com,1,ada,Networks,Room 1,Grace Hopper
Grace Hopper,,grace@example.com,,gh,,,
`,
  'places.csv': `Location Name,Parent,Address,City,Postal Code
Room 1,Floor 1,,,
Floor 1,Headquarters,,,
Headquarters,,Science Park 610,Amsterdam,1098 XH
`,
  'licences.csv': `Name,Product Key,Expiration Date,Licensed to Email,Total,Avail,Purchase Cost,Supplier
Editor,KEY-1,2027-02-28,,10,7,99.00,Shop
`,
  'accessories.csv': `Name,Accessory Category,Min. QTY,Total,Avail,Checked Out
Cable,Cables,1,10,5,5
Mouse,Mice,1,3,3,0
`,
} as const;
