// Uses the generated Go client: reads and writes every record, then calls a running service.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"reflect"
	"time"

	inventory "example.com/inventory/client"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func expect(true bool, format string, values ...interface{}) {
	if !true {
		must(fmt.Errorf(format, values...))
	}
}

// same reports whether two values are equal. Times may differ in format, and the generator omits lists and objects that
// are null.
func same(sent, got interface{}) bool {
	switch value := sent.(type) {
	case map[string]interface{}:
		other, ok := got.(map[string]interface{})
		if !ok {
			return false
		}
		for name := range value {
			if !same(value[name], other[name]) {
				return false
			}
		}
		for name := range other {
			if _, sent := value[name]; !sent && other[name] != nil {
				return false
			}
		}
		return true
	case []interface{}:
		other, ok := got.([]interface{})
		if !ok || len(value) != len(other) {
			return false
		}
		for index := range value {
			if !same(value[index], other[index]) {
				return false
			}
		}
		return true
	case string:
		other, ok := got.(string)
		if ok && value != other {
			first, err := time.Parse(time.RFC3339, value)
			second, otherErr := time.Parse(time.RFC3339, other)
			return err == nil && otherErr == nil && first.Equal(second)
		}
		return ok
	}
	return reflect.DeepEqual(sent, got)
}

func readAndWrite(samples map[string][]json.RawMessage) int {
	count, faults := 0, 0
	fault := func(name string, sent json.RawMessage, what interface{}) {
		faults++
		fmt.Fprintf(os.Stderr, "%s: %s\n  %v\n", name, sent, what)
	}
	for name, values := range samples {
		for _, value := range values {
			count++
			record := models[name]()
			if err := json.Unmarshal(value, record); err != nil {
				fault(name, value, err)
				continue
			}
			written, err := json.Marshal(record)
			must(err)
			var sent, got interface{}
			must(json.Unmarshal(value, &sent))
			must(json.Unmarshal(written, &got))
			if !same(sent, got) {
				fault(name, value, "became "+string(written))
			}
		}
	}
	if faults > 0 {
		os.Exit(1)
	}
	return count
}

// refused returns the typed error of a call that must be refused.
func refused(status int, response *http.Response, err error) inventory.Error {
	expect(err != nil, "not refused with %d", status)
	expect(response != nil && response.StatusCode == status, "%v instead of %d", err, status)
	var refusal inventory.GenericOpenAPIError
	expect(errors.As(err, &refusal), "untyped: %v", err)
	typed, ok := refusal.Model().(inventory.Error)
	expect(ok, "untyped: %s", refusal.Body())
	return typed
}

func walk(url, email, password string) {
	cookies, err := cookiejar.New(nil)
	must(err)
	configuration := inventory.NewConfiguration()
	configuration.Servers = inventory.ServerConfigurations{{URL: url}}
	// The cookie jar stores the session cookie and sends it.
	configuration.HTTPClient = &http.Client{Jar: cookies}
	client := inventory.NewAPIClient(configuration)
	ctx := context.Background()

	_, response, err := client.SitesApi.ListSites(ctx).Execute()
	refused(401, response, err)
	login := inventory.NewCredentials(email, password)
	_, _, err = client.AuthenticationApi.Login(ctx).Credentials(*login).Execute()
	must(err)
	body := inventory.NewCreateSite("Paris DC1")
	body.SetLatitude(48.9)
	created, _, err := client.SitesApi.CreateSite(ctx).CreateSite(*body).Execute()
	must(err)
	site := created.Data
	expect(site.Status == "active" && *site.Latitude.Get() == 48.9 && site.Facility.Get() == nil, "%v", site)
	page, _, err := client.SitesApi.ListSites(ctx).Name([]string{site.Name}).Sort(inventory.SITESORT_NAME).Execute()
	must(err)
	expect(page.Total == 1 && page.Data[0].Id == site.Id && !page.HasMore, "%v", page)
	types, _, err := client.DeviceTypesApi.ListDeviceTypes(ctx).PageSize(200).Execute()
	must(err)
	expect(len(types.Data) > 0, "no device types")

	change := inventory.NewUpdateSite()
	change.SetLatitudeNil()
	changed, _, err := client.SitesApi.UpdateSite(ctx, site.Id).UpdateSite(*change).Execute()
	must(err)
	expect(changed.Data.Latitude.Get() == nil && changed.Data.Name == site.Name, "%v", changed)
	changes, _, err := client.SitesApi.ListSiteChanges(ctx, site.Id).Action([]inventory.ChangeAction{inventory.CHANGEACTION_UPDATE}).Execute()
	must(err)
	expect(len(changes.Data) == 1 && changes.Data[0].Before["latitude"] == 48.9, "%v", changes)
	body.SetLatitude(91)
	_, response, err = client.SitesApi.CreateSite(ctx).CreateSite(*body).Execute()
	refusal := refused(400, response, err)
	expect((*refusal.Details)[0].Field == "latitude", "%v", refusal)
	_, err = client.SitesApi.DeleteSite(ctx, site.Id).Execute()
	must(err)
	_, response, err = client.SitesApi.GetSite(ctx, site.Id).Execute()
	refused(404, response, err)
	_, err = client.AuthenticationApi.Logout(ctx).Execute()
	must(err)
	_, response, err = client.SitesApi.ListSites(ctx).Execute()
	refused(401, response, err)
}

func main() {
	file, err := os.ReadFile(os.Args[1])
	must(err)
	var samples map[string][]json.RawMessage
	must(json.Unmarshal(file, &samples))
	count := readAndWrite(samples)
	walk(os.Args[2], os.Args[3], os.Args[4])
	fmt.Printf("compiled; %d samples of %d schemas read and written; a walk through the service\n", count, len(samples))
}
